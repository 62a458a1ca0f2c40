// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import io.verbs4j.types.Ranges;
import java.nio.ByteBuffer;

/// Reliable datagram extended transport header (IBA vol. 1, 9.3.1).
///
/// @param endToEndContext the receiver's end-to-end context, 24 bits
public record Rdeth(int endToEndContext) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 4;

    /// Checks the ranges.
    public Rdeth {
        Ranges.check("endToEndContext", endToEndContext, 0, 0xffffff);
    }

    /// Reads the header. Reserved bits are not kept.
    public static Rdeth parse(ByteBuffer buffer) {
        return new Rdeth(buffer.getInt() & 0xffffff);
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putInt(endToEndContext);
    }
}
