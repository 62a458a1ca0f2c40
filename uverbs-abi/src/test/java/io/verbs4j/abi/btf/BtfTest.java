// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.btf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.BtfBuilder;
import io.verbs4j.abi.BtfBuilder.Member;
import io.verbs4j.abi.btf.BtfStruct.Field;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BtfTest {
    private static final int STRUCT = 4;
    private static final int UNION = 5;

    private static BtfBuilder image() {
        BtfBuilder image = BtfBuilder.image();
        int u32 = image.number("unsigned int", 4);
        int u64 = image.number("unsigned long", 8);
        int u8 = image.number("unsigned char", 1);
        int bytes = image.array(u8, 16);
        int alias = image.type("__u32", 8, 0, u32);
        int constant = image.type("", 10, 0, alias);
        // Kinds that a layout does not need, but that the parser must skip: enum, forward, function and its prototype,
        // variable, section, float, tags, 64-bit enum.
        image.type("colours", 6, 2, 4, 0, 1, 0, 2);
        image.type("unknown", 7, 0, 0);
        int prototype = image.type("", 13, 1, 0, 0, u32);
        image.type("function", 12, 0, prototype);
        int variable = image.type("variable", 14, 0, u32, 0);
        image.type(".data", 15, 1, 4, variable, 0, 4);
        image.type("double", 16, 0, 8);
        image.type("tag", 17, 0, u32, -1);
        int tagged = image.type("user", 18, 0, u64);
        image.type("wide", 19, 1, 8, 0, 1, 0);
        int pointer = image.type("", 2, 0, tagged);
        int inner = image.struct(
                STRUCT, "inner", 20, false, new Member("a", constant, 0), new Member("raw", bytes, 32));
        int innerAlias = image.type("inner_t", 8, 0, inner);
        int choice = image.struct(UNION, "", 8, false, new Member("small", u32, 0), new Member("large", u64, 0));
        int flexible = image.array(u64, 0);
        image.struct(
                STRUCT,
                "outer",
                56,
                false,
                new Member("first", u32, 0),
                new Member("", choice, 64),
                new Member("nested", innerAlias, 128),
                new Member("pointer", pointer, 320),
                new Member("named", choice, 384),
                new Member("tail", flexible, 448));
        image.struct(
                STRUCT, "bits", 4, true, new Member("low", u32, 3 << 24), new Member("high", u32, 5 << 24 | 16));
        return image;
    }

    @Test
    void fieldsOfNestedAndUnnamedMembersHaveTheirPaths() {
        BtfStruct outer = Btf.of(image().build()).struct("outer").orElseThrow();
        assertThat(outer.size()).isEqualTo(56);
        assertThat(outer.fields())
                .containsExactly(
                        new Field("first", 0, 4),
                        new Field("small", 8, 4),
                        new Field("large", 8, 8),
                        new Field("nested", 16, 20),
                        new Field("nested.a", 16, 4),
                        new Field("nested.raw", 20, 16),
                        new Field("pointer", 40, 8),
                        new Field("named", 48, 8),
                        new Field("named.small", 48, 4),
                        new Field("named.large", 48, 8),
                        new Field("tail", 56, 0));
    }

    /// The kinds of Documentation/bpf/btf.rst.
    @Test
    void eachKindHasItsSize() {
        BtfBuilder image = BtfBuilder.image();
        int number = image.number("short", 2);
        int inner = image.struct(STRUCT, "inner", 24, false, new Member("array", image.array(number, 12), 0));
        int[] kinds = {
                number, image.type("", 2, 0, inner), image.array(image.array(inner, 2), 3), inner,
                image.struct(UNION, "union", 5, false), image.type("enum", 6, 1, 4, 0, 1),
                image.type("forward", 7, 0, 0), image.type("typedef", 8, 0, inner), image.type("", 9, 0, inner),
                image.type("", 10, 0, inner), image.type("", 11, 0, inner), image.type("double", 16, 0, 8),
                image.type("tag", 18, 0, inner), image.type("enum64", 19, 1, 8, 0, 1, 0), 0
        };
        var members = new Member[kinds.length];
        for (int i = 0; i < kinds.length; i++) {
            members[i] = new Member("m" + i, kinds[i], 8 * i);
        }
        image.struct(STRUCT, "kinds", 99, false, members);
        List<Field> fields = Btf.of(image.build()).struct("kinds").orElseThrow().fields();
        assertThat(fields).filteredOn(field -> !field.path().contains("."))
                .extracting(Field::size)
                .containsExactly(2L, 8L, 144L, 24L, 5L, 4L, 0L, 24L, 24L, 24L, 24L, 8L, 24L, 8L, 0L);
        assertThat(fields).extracting(Field::path)
                .filteredOn(path -> path.contains("."))
                .containsExactly("m3.array", "m7.array", "m8.array", "m9.array", "m10.array", "m12.array");
    }

    /// A kernel has more than a hundred thousand types.
    @Test
    void theNumberOfTypesIsNotLimited() {
        BtfBuilder image = BtfBuilder.image();
        for (int i = 0; i < 5000; i++) {
            image.number("n" + i, 4);
        }
        image.struct(STRUCT, "last", 8, false, new Member("first", 1, 0), new Member("latest", 5000, 32));
        assertThat(Btf.of(image.build()).struct("last").orElseThrow().fields())
                .containsExactly(new Field("first", 0, 4), new Field("latest", 4, 4));
    }

    private static Btf chain(int typedefs) {
        BtfBuilder image = BtfBuilder.image();
        int last = image.number("int", 4);
        for (int i = 0; i < typedefs; i++) {
            last = image.type("t" + i, 8, 0, last);
        }
        image.struct(STRUCT, "holder", 4, false, new Member("value", last, 0));
        return Btf.of(image.build());
    }

    @Test
    void chainsOfTypesAreLimited() {
        assertThat(chain(Btf.MAX_DEPTH - 1).struct("holder").orElseThrow().fields())
                .containsExactly(new Field("value", 0, 4));
        Btf longer = chain(Btf.MAX_DEPTH);
        assertThatThrownBy(() -> longer.struct("holder")).hasMessageContaining(
                "refers to itself, or to a chain of more than " + Btf.MAX_DEPTH + " types");
    }

    @Test
    void theNumberOfMembersIsLimited() {
        BtfBuilder image = BtfBuilder.image();
        int number = image.number("int", 4);
        var members = new Member[Btf.MAX_MEMBERS / 2];
        Arrays.fill(members, new Member("m", number, 0));
        int half = image.struct(STRUCT, "half", 4, false, members);
        int rest = image.struct(STRUCT, "rest", 4, false, Arrays.copyOf(members, members.length - 2));
        image.struct(STRUCT, "most", 4, false, new Member("", half, 0), new Member("", rest, 0));
        image.struct(STRUCT, "more", 4, false, new Member("", half, 0), new Member("", rest, 0),
                new Member("", number, 0));
        Btf btf = Btf.of(image.build());
        assertThat(btf.struct("most").orElseThrow().fields()).hasSize(Btf.MAX_MEMBERS - 2);
        assertThatThrownBy(() -> btf.struct("more"))
                .hasMessageContaining("a struct has more than " + Btf.MAX_MEMBERS + " members");
    }

    @Test
    void filesOfAFolderAreRead(@TempDir Path folder) throws IOException {
        BtfBuilder image = image();
        BtfBuilder module = image.module();
        module.struct(STRUCT, "added", 4, false, new Member("own", 1, 0));
        Files.write(folder.resolve("vmlinux"), image.build().array());
        Files.write(folder.resolve("rdma_rxe"), module.build().array());
        assertThat(Btf.ofKernel(folder).struct("outer")).isPresent();
        assertThat(Btf.ofKernel(folder).struct("added")).isEmpty();
        assertThat(Btf.of(folder, "rdma_rxe").struct("added")).isPresent();
        assertThat(Btf.ofKernel(folder).with(folder.resolve("rdma_rxe")).struct("added")).isPresent();
    }

    @Test
    void aHeaderAloneHasNoTypes() {
        ByteBuffer header =
                ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN).putShort(0, (short) 0xeb9f).putInt(4, 24);
        assertThat(Btf.of(header).struct("any")).isEmpty();
        assertThatThrownBy(() -> Btf.of(header.slice(0, 23))).hasMessageContaining("not type information");
    }

    @Test
    void bitFieldsAreWhereTheirFirstByteIs() {
        assertThat(Btf.of(image().build()).struct("bits").orElseThrow().fields())
                .containsExactly(new Field("low", 0, 4), new Field("high", 2, 4));
    }

    @Test
    void aStructThatIsNotThereIsNotFound() {
        assertThat(Btf.of(image().build()).struct("absent")).isEmpty();
        assertThat(Btf.of(image().build()).struct("colours")).as("an enum").isEmpty();
    }

    @Test
    void aModuleContinuesTheImage() {
        BtfBuilder image = image();
        BtfBuilder module = image.module();
        // 1 is the image's `unsigned int`, 18 its struct `inner`.
        int first = module.number("first of the module", 2);
        module.struct(STRUCT, "added", 24, false, new Member("own", 1, 0), new Member("theirs", 18, 32),
                new Member("new", first, 192));
        Btf both = Btf.of(image.build()).with(module.build());
        assertThat(both.struct("added").orElseThrow().fields())
                .containsExactly(
                        new Field("own", 0, 4),
                        new Field("theirs", 4, 20),
                        new Field("theirs.a", 4, 4),
                        new Field("theirs.raw", 8, 16),
                        new Field("new", 24, 2));
        assertThat(both.struct("outer")).isPresent();
    }

    @Test
    void theModulesOwnStructComesFirst() {
        BtfBuilder image = image();
        BtfBuilder module = image.module();
        module.struct(STRUCT, "inner", 4, false, new Member("other", 1, 0));
        assertThat(Btf.of(image.build()).with(module.build()).struct("inner").orElseThrow().size()).isEqualTo(4);
    }

    @Test
    void bytesOfAnotherFormatAreRefused() {
        assertThatThrownBy(() -> Btf.of(ByteBuffer.allocate(64))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Btf.of(ByteBuffer.allocate(3))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKindOfTypeThatIsNotKnownIsRefusedBecauseItsLengthIsNot() {
        BtfBuilder image = BtfBuilder.image();
        image.type("future", 30, 0, 0);
        ByteBuffer bytes = image.build();
        assertThatThrownBy(() -> Btf.of(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind=30");
    }

    private static StructLayout inner(String first, long rawBytes) {
        return MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName(first),
                MemoryLayout.sequenceLayout(rawBytes, ValueLayout.JAVA_BYTE).withName("raw"));
    }

    @Test
    void aLayoutIsComparedFieldByField() {
        BtfStruct kernel = Btf.of(image().build()).struct("inner").orElseThrow();
        assertThat(kernel.differences(inner("a", 16))).isEmpty();
        assertThat(kernel.unknown(inner("a", 16))).isEmpty();
        assertThat(kernel.differences(inner("a", 12)))
                .containsExactly(
                        "inner has 16 bytes here and 20 in the kernel",
                        "inner.raw is at 4 with 12 bytes here, and at 4 with 16 in the kernel");
    }

    @Test
    void aFieldThatTheKernelDoesNotKnowYetIsNoDifference() {
        BtfStruct kernel = Btf.of(image().build()).struct("inner").orElseThrow();
        assertThat(kernel.differences(inner("b", 16))).isEmpty();
        assertThat(kernel.unknown(inner("b", 16))).containsExactly("b");
    }

    @Test
    void reservedBytesMayHaveGotAMeaning() {
        BtfBuilder image = BtfBuilder.image();
        int u16 = image.number("unsigned short", 2);
        int reserved = image.array(image.number("unsigned char", 1), 6);
        image.struct(STRUCT, "grown", 8, false, new Member("flags", u16, 0), new Member("reserved", reserved, 16));
        BtfStruct kernel = Btf.of(image.build()).struct("grown").orElseThrow();
        StructLayout layout = MemoryLayout.structLayout(
                ValueLayout.JAVA_SHORT.withName("flags"),
                MemoryLayout.sequenceLayout(2, ValueLayout.JAVA_BYTE).withName("reserved"),
                ValueLayout.JAVA_INT.withName("speed"));
        assertThat(kernel.differences(layout)).isEmpty();
        assertThat(kernel.unknown(layout)).containsExactly("speed");
        StructLayout shifted = MemoryLayout.structLayout(
                MemoryLayout.sequenceLayout(6, ValueLayout.JAVA_BYTE).withName("reserved"),
                ValueLayout.JAVA_SHORT.withName("flags"));
        assertThat(kernel.differences(shifted)).hasSize(2);
    }

    @Test
    void holesAndUnnamedMembersOfALayoutAreNoFields() {
        BtfStruct kernel = Btf.of(image().build()).struct("outer").orElseThrow();
        StructLayout layout = MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName("first"),
                MemoryLayout.paddingLayout(4).withName("hole"),
                MemoryLayout.unionLayout(
                        ValueLayout.JAVA_INT.withName("small"), ValueLayout.JAVA_LONG.withName("large")),
                inner("a", 16).withName("nested"),
                MemoryLayout.paddingLayout(4),
                ValueLayout.JAVA_LONG.withName("pointer"),
                ValueLayout.JAVA_LONG.withName("named"),
                MemoryLayout.sequenceLayout(0, ValueLayout.JAVA_LONG).withName("tail"));
        assertThat(kernel.differences(layout)).isEmpty();
        assertThat(kernel.unknown(layout)).isEmpty();
    }
}
