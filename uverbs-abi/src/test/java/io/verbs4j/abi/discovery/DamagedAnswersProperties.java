// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Damage;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// A damaged response of netlink is read as far as it is valid, or rejected with `VerbsException`.
class DamagedAnswersProperties {
    /// A device with a table of two entries, then an error of 0, then the end of a list.
    private static final byte[] ANSWER = HexFormat.of()
            .parseHex("40000000011400000700000000000000" + "0800010003000000" + "0a00020072786530000000" + "00"
                    + "1c000500" + "0c00060008000100" + "01000000" + "0c00060008000100" + "02000000"
                    + "24000000020000000700000000000000" + "00000000" + "1000000001140500" + "0700000000000000"
                    + "14000000030000000700000000000000" + "00000000");

    @Provide
    Arbitrary<byte[]> answers() {
        return Damage.of(ANSWER);
    }

    @Property
    void areReadOrRefused(@ForAll("answers") byte[] bytes) {
        try {
            NetlinkParser.read(bytes);
        } catch (VerbsException e) {
            assertThat(e.errno()).isNotZero();
        }
    }

    /// The message contains the reason: there was an error message of length 0.
    @Example
    void anErrorWithoutItsNumberIsRefused() {
        byte[] error = HexFormat.of().parseHex("10000000020000000700000000000000");
        try {
            NetlinkParser.read(error);
            throw new AssertionError("was taken");
        } catch (VerbsException e) {
            assertThat(e).hasMessageContaining("truncated");
            assertThat(e.errno()).isEqualTo(Errno.EPROTO);
        }
    }

    @Example
    void aTextWithoutItsEndIsReadToTheEndOfItsAttribute() {
        MemorySegment attribute = MemorySegment.ofArray(new long[1])
                .copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex("0800020072786530")));
        assertThat(new NetlinkAnswer(attribute).text(2)).contains("rxe0");
    }
}
