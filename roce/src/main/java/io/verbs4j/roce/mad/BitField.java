// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import io.verbs4j.types.Ranges;

/// A field of a message. Bits are counted from the highest one of the first byte, as in the specification.
///
/// @param name lower case with underscores; empty for a reserved field
/// @param bitOffset first bit
/// @param bits width
/// @param meaning description; empty if the name suffices
public record BitField(String name, int bitOffset, int bits, String meaning) {
    /// Checks the ranges.
    public BitField {
        Ranges.check("bitOffset", bitOffset, 0, Integer.MAX_VALUE);
        Ranges.check("bits", bits, 1, Integer.MAX_VALUE - bitOffset);
    }

    /// Returns whether the bits are reserved. Senders leave reserved bits zero, and receivers ignore them.
    public boolean isReserved() {
        return name.isEmpty();
    }

    /// Returns whether the field is a number of at most 64 bits, not a GID or other bytes.
    public boolean isNumber() {
        return bits <= Long.SIZE;
    }

    /// Returns the byte in which the field begins.
    public int byteOffset() {
        return bitOffset / Byte.SIZE;
    }

    /// Returns the number of bytes that contain a bit of the field.
    public int bytes() {
        return Math.ceilDiv(bitOffset + bits, Byte.SIZE) - byteOffset();
    }
}
