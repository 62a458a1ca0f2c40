// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A C struct in memory: reads and writes fields by their C names, each in its declared width and byte order. For the
/// control path.
///
/// @param struct its struct
/// @param memory its memory
public record CView(CStruct struct, MemorySegment memory) {
    /// Writes a number. If the value is longer than the field, its low bytes are written.
    ///
    /// @return this
    public CView set(String field, long value) {
        CStruct.Field target = number(field);
        long offset = target.offset();
        boolean swap = target.swapped();
        switch (target.width()) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
            case 2 -> {
                short number = (short) value;
                memory.set(ValueLayout.JAVA_SHORT, offset, swap ? Short.reverseBytes(number) : number);
            }
            case 4 -> {
                int number = (int) value;
                memory.set(ValueLayout.JAVA_INT, offset, swap ? Integer.reverseBytes(number) : number);
            }
            default -> memory.set(ValueLayout.JAVA_LONG, offset, swap ? Long.reverseBytes(value) : value);
        }
        return this;
    }

    /// Reads a number, unsigned unless it has 64 bits.
    public long get(String field) {
        CStruct.Field source = number(field);
        long offset = source.offset();
        boolean swap = source.swapped();
        return switch (source.width()) {
            case 1 -> memory.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
            case 2 -> {
                short number = memory.get(ValueLayout.JAVA_SHORT, offset);
                yield (swap ? Short.reverseBytes(number) : number) & 0xffffL;
            }
            case 4 -> {
                int number = memory.get(ValueLayout.JAVA_INT, offset);
                yield (swap ? Integer.reverseBytes(number) : number) & 0xffff_ffffL;
            }
            default -> {
                long number = memory.get(ValueLayout.JAVA_LONG, offset);
                yield swap ? Long.reverseBytes(number) : number;
            }
        };
    }

    /// Reads a number of at most 32 bits. Fields of 8 and 16 bits are unsigned.
    public int getInt(String field) {
        return (int) get(field);
    }

    /// Returns the bytes of an array or of a nested struct.
    public MemorySegment slice(String field) {
        CStruct.Field part = struct.field(field);
        return memory.asSlice(part.offset(), part.layout().byteSize());
    }

    private CStruct.Field number(String name) {
        CStruct.Field field = struct.field(name);
        if (!field.isNumber()) {
            throw new IllegalArgumentException(struct + ": " + field.path() + " is not a number");
        }
        return field;
    }
}
