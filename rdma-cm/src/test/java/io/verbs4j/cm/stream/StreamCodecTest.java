// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The protocol's numbers, as C's rstream sent them.
class StreamCodecTest {
    /// The request of `rstream -S 64 -C 1 -i 0`: version, flags, credits, table, first half of the ring.
    private static final String REQUEST =
            "01020180" + "00000000" + "000055555556e000" + "00000313" + "00000002" + "00007ffff7153000" + "00000408"
                    + "00080000";

    private static final Greeting GREETING =
            new Greeting(false, 384, 0x55555556e000L, 0x313, 2, 0x7ffff7153000L, 0x408, 0x80000, 0);

    private static PrivateData data(String hex) {
        return PrivateData.of(HexFormat.of().parseHex(hex));
    }

    @Test
    void readsWhatCSends() {
        assertThat(Greeting.decode(data(REQUEST))).isEqualTo(GREETING);
    }

    @Test
    void sendsWhatCReads() {
        assertThat(GREETING.encode()).isEqualTo(data(REQUEST));
    }

    @Test
    void ignoresTheZerosBehindIt() {
        byte[] padded = Arrays.copyOf(GREETING.encode().bytes(), 56);
        assertThat(Greeting.decode(PrivateData.of(padded))).isEqualTo(GREETING);
    }

    @Test
    void bothByteOrdersAreKept() {
        var big = new Greeting(true, 0xffff, -1, -1, 3, -2, -3, 1, 128);
        assertThat(Greeting.decode(big.encode())).isEqualTo(big);
    }

    @ParameterizedTest
    @CsvSource({
            "0, 02, 93", // version
            "23, 01, 71", "20, 7f, 71", "20, ff, 71", // entries of the table
            "36, ff, 71", // bytes of the ring
    })
    void refusesWhatMakesNoSense(int at, String value, int errno) {
        byte[] bytes = GREETING.encode().bytes();
        bytes[at] = HexFormat.of().parseHex(value)[0];
        assertThatThrownBy(() -> Greeting.decode(PrivateData.of(bytes)))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void theSmallestAndTheLargestTableMakeSense() {
        for (int entries : new int[]{2, 0x10000}) {
            var greeting = new Greeting(false, 384, 1, 2, entries, 3, 4, 0x80000, 0);
            assertThat(Greeting.decode(greeting.encode())).isEqualTo(greeting);
        }
        for (int entries : new int[]{1, 0x10001}) {
            var greeting = new Greeting(false, 384, 1, 2, entries, 3, 4, 0x80000, 0);
            assertThatThrownBy(() -> Greeting.decode(greeting.encode()))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("its table has " + entries + " entries");
        }
    }

    @Test
    void refusesEmptyAndShortData() {
        assertThatThrownBy(() -> Greeting.decode(PrivateData.NONE))
                .isInstanceOfSatisfying(VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(Errno.EPROTONOSUPPORT));
        assertThatThrownBy(() -> Greeting.decode(data(REQUEST.substring(0, 78))))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO));
    }

    @Test
    void immediateDataAreThoseOfC() {
        assertThat(Immediate.of(Immediate.CREDITS, 384)).isEqualTo(0x80000180);
        assertThat(Immediate.of(Immediate.CONTROL, Immediate.DISCONNECT)).isEqualTo(0xe0000000);
        assertThat(Immediate.of(Immediate.DATA, 64)).isEqualTo(64);
        assertThat(Immediate.type(0x80000180)).isEqualTo(Immediate.CREDITS);
        assertThat(Immediate.type(0xe0000002)).isEqualTo(Immediate.CONTROL);
        assertThat(Immediate.value(0xe0000002)).isEqualTo(Immediate.SHUTDOWN);
        assertThat(Immediate.value(-1)).isEqualTo(Immediate.MAX_VALUE);
    }
}
