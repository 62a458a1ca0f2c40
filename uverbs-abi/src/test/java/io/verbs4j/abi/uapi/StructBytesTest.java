// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.UapiFixture;
import io.verbs4j.abi.catalogue.CStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every struct, byte by byte: each field is at the compiler's offset, and nowhere else.
class StructBytesTest {
    private static final UapiFixture FIXTURE = UapiFixture.read();
    private static final byte DIRT = (byte) 0xa5;
    private static final int MARGIN = 16;

    static Collection<CStruct> structs() {
        return CStructs.all();
    }

    /// Distinct bytes, none of them 0.
    private static byte[] pattern(int seed, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (1 + (seed * 31 + i * 7) % 255);
        }
        return bytes;
    }

    /// Returns the number that these bytes represent in memory.
    private static long number(byte[] bytes, ByteOrder order) {
        byte[] bigEndian = bytes.clone();
        if (order == ByteOrder.LITTLE_ENDIAN) {
            for (int i = 0; i < bytes.length; i++) {
                bigEndian[i] = bytes[bytes.length - 1 - i];
            }
        }
        return new BigInteger(1, bigEndian).longValue();
    }

    private static List<CStruct.Field> numbers(CStruct struct) {
        var numbers = new ArrayList<CStruct.Field>();
        for (CStruct.Field field : struct.fields()) {
            if (field.isNumber()) {
                numbers.add(field);
            }
        }
        return numbers;
    }

    private static int offset(CStruct struct, CStruct.Field field) {
        Map<String, String> compiler = FIXTURE.fieldsOf(struct.name());
        return Integer.parseInt(compiler.getOrDefault(field.path(), "").split(" ", -1)[0]);
    }

    private static MemorySegment dirty(Arena arena, CStruct struct) {
        return arena.allocate(struct.size() + MARGIN, Long.BYTES).fill(DIRT);
    }

    @ParameterizedTest
    @MethodSource("structs")
    void eachNumberIsWrittenToItsPlaceAlone(CStruct struct) {
        for (CStruct.Field field : numbers(struct)) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = dirty(arena, struct);
                byte[] expected = memory.toArray(ValueLayout.JAVA_BYTE);
                byte[] bytes = pattern(3, (int) field.layout().byteSize());
                System.arraycopy(bytes, 0, expected, offset(struct, field), bytes.length);

                long value = number(bytes, ((ValueLayout) field.layout()).order());
                struct.view(memory).set(field.path(), value);

                assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).as(field.path()).isEqualTo(expected);
                assertThat(struct.view(memory).get(field.path())).as(field.path()).isEqualTo(value);
                assertThat(struct.view(memory).getInt(field.path())).as(field.path()).isEqualTo((int) value);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("structs")
    void aStructBuiltOnDirtyMemoryHasNoDirtInIt(CStruct struct) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = dirty(arena, struct);
            byte[] expected = new byte[struct.size() + MARGIN];
            Arrays.fill(expected, struct.size(), expected.length, DIRT);

            CView view = struct.zeroed(memory);
            int seed = 0;
            for (CStruct.Field field : numbers(struct)) {
                byte[] bytes = pattern(seed++, (int) field.layout().byteSize());
                System.arraycopy(bytes, 0, expected, offset(struct, field), bytes.length);
                view.set(field.path(), number(bytes, ((ValueLayout) field.layout()).order()));
            }

            assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("structs")
    void eachFieldCanBeCutOut(CStruct struct) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = dirty(arena, struct);
            for (CStruct.Field field : struct.fields()) {
                MemorySegment slice = struct.view(memory).slice(field.path());
                assertThat(slice.address() - memory.address()).isEqualTo(offset(struct, field));
                assertThat(slice.byteSize()).isEqualTo(field.layout().byteSize());
            }
        }
    }
}
