// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.btf;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.BtfBuilder;
import io.verbs4j.abi.BtfBuilder.Member;
import io.verbs4j.abi.Damage;
import java.nio.ByteBuffer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Damaged type information is either read or rejected with `IllegalArgumentException`, in a short time.
class DamagedBtfProperties {
    private static final int STRUCT = 4;
    private static final int TYPEDEF = 8;

    private static BtfBuilder builder() {
        BtfBuilder image = BtfBuilder.image();
        int number = image.number("unsigned int", 4);
        int array = image.array(number, 4);
        int inner =
                image.struct(STRUCT, "inner", 8, true, new Member("a", number, 3 << 24), new Member("b", number, 32));
        int alias = image.type("inner_t", TYPEDEF, 0, inner);
        image.type("colours", 6, 2, 4, 0, 1, 0, 2);
        image.struct(
                STRUCT, "outer", 32, false, new Member("", inner, 0), new Member("c", alias, 64),
                new Member("d", array, 128));
        return image;
    }

    private static byte[] image() {
        return builder().build().array();
    }

    @Provide
    Arbitrary<byte[]> images() {
        return Damage.of(image());
    }

    @Provide
    Arbitrary<byte[]> modules() {
        BtfBuilder module = builder().module();
        module.struct(STRUCT, "own", 8, false, new Member("x", 4, 0), new Member("y", 1, 32));
        return Damage.of(module.build().array());
    }

    @Property
    void ofAnImageIsReadOrRefused(@ForAll("images") byte[] bytes) {
        read(() -> Btf.of(ByteBuffer.wrap(bytes)));
    }

    @Property
    void ofAModuleIsReadOrRefused(@ForAll("modules") byte[] bytes) {
        read(() -> Btf.of(ByteBuffer.wrap(image())).with(ByteBuffer.wrap(bytes)));
    }

    @Property
    void thatIsNoneAtAllIsRefused(@ForAll byte[] bytes) {
        read(() -> Btf.of(ByteBuffer.wrap(bytes)));
    }

    @Example
    void isReadWhereNothingIsDamaged() {
        assertThat(Btf.of(ByteBuffer.wrap(image())).struct("outer").orElseThrow().fields()).hasSize(6);
    }

    /// Each of forty structs contains the previous one twice, without a name: visiting all of them would not end.
    @Example
    void ofStructsThatDoubleEachOtherIsRefused() {
        BtfBuilder image = BtfBuilder.image();
        int last = image.struct(STRUCT, "s", 0, false);
        for (int i = 0; i < 40; i++) {
            last = image.struct(STRUCT, "s", 0, false, new Member("", last, 0), new Member("", last, 0));
        }
        ByteBuffer bytes = image.build();
        assertThat(refusal(() -> Btf.of(bytes).struct("s"))).contains("more than 65536 members");
    }

    @Example
    void ofATypeThatIsMadeOfItselfIsRefused() {
        BtfBuilder image = BtfBuilder.image();
        image.type("t", TYPEDEF, 0, 1);
        image.struct(STRUCT, "s", 8, false, new Member("t", 1, 0));
        ByteBuffer bytes = image.build();
        assertThat(refusal(() -> Btf.of(bytes).struct("s"))).contains("refers to itself");
    }

    private interface Reading {
        Object read();
    }

    private static String refusal(Reading reading) {
        try {
            return "read: " + reading.read();
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void read(Reading reading) {
        refusal(() -> {
            Btf read = (Btf) reading.read();
            for (String name : new String[]{"outer", "inner", "own", ""}) {
                refusal(() -> read.struct(name));
            }
            return read;
        });
    }
}
