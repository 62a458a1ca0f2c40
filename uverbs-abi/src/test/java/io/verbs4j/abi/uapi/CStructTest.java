// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.memory.RegisterMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class CStructTest {
    private static final CStruct INNER =
            CStruct.of("inner.h", "inner", CStruct.u8("a"), CStruct.hole(3), CStruct.u32("b"));
    private static final CStruct OUTER = CStruct.of(
            "outer.h",
            "outer",
            CStruct.u32("first"),
            CStruct.struct("nested", INNER),
            CStruct.union(CStruct.u32("signed"), CStruct.u32("unsigned")),
            CStruct.bytes("tail", 16));

    @Test
    void nestedFieldsHaveAPathAndMembersOfUnnamedUnionsNone() {
        assertThat(OUTER.fields())
                .extracting(CStruct.Field::path)
                .containsExactly("first", "nested", "nested.a", "nested.b", "signed", "unsigned", "tail");
        assertThat(OUTER.offset("nested.b")).isEqualTo(8);
        assertThat(OUTER.offset("unsigned")).isEqualTo(OUTER.offset("signed")).isEqualTo(12);
        assertThat(OUTER.size()).isEqualTo(32);
    }

    @Test
    void itSaysWhatItDescribes() {
        assertThat(RegisterMemory.REQUEST).hasToString("struct ib_uverbs_reg_mr");
        assertThat(RegisterMemory.REQUEST.header()).isEqualTo("include/uapi/rdma/ib_user_verbs.h");
        assertThat(RegisterMemory.REQUEST.layout().name()).contains("ib_uverbs_reg_mr");
    }

    @Test
    void aHoleMustBeSpelledOut() {
        assertThatThrownBy(() -> CStruct.of("h", "holed", CStruct.u8("a"), CStruct.u32("b")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CStruct.of("h", "short_tail", CStruct.u32("a"), CStruct.u8("b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("short_tail");
    }

    @Test
    void anUnknownFieldIsRefusedByName() {
        assertThatThrownBy(() -> OUTER.offset("third"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("struct outer has no field third");
    }

    @Test
    void anArrayIsNotANumber() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = OUTER.allocate(arena);
            assertThatThrownBy(() -> OUTER.view(memory).get("tail"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("tail is not a number");
            assertThatThrownBy(() -> OUTER.view(memory).set("nested", 1))
                    .hasMessageContaining("nested is not a number");
        }
    }

    @Test
    void memoryThatIsTooShortIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(OUTER.size() - 1L);
            assertThatThrownBy(() -> OUTER.zeroed(memory)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void numbersOf8And16And32BitsAreUnsigned() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = OUTER.allocate(arena).fill((byte) 0xff);
            assertThat(OUTER.view(memory).get("nested.a")).isEqualTo(0xff);
            assertThat(OUTER.view(memory).get("first")).isEqualTo(0xffff_ffffL);
            assertThat(OUTER.view(memory).getInt("first")).isEqualTo(-1);
        }
    }
}
