// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import io.verbs4j.types.Ranges;
import java.nio.ByteBuffer;

/// Datagram extended transport header (IBA vol. 1, 9.3.2).
///
/// @param qkey Q_Key; must equal the receiver's
/// @param sourceQueuePair the sender's queue pair number, 24 bits
public record Deth(int qkey, int sourceQueuePair) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 8;

    /// Checks the ranges.
    public Deth {
        Ranges.check("sourceQueuePair", sourceQueuePair, 0, 0xffffff);
    }

    /// Reads the header. Reserved bits are not kept.
    public static Deth parse(ByteBuffer buffer) {
        return new Deth(buffer.getInt(), buffer.getInt() & 0xffffff);
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putInt(qkey).putInt(sourceQueuePair);
    }
}
