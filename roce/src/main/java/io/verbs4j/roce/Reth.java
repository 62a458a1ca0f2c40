// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// RDMA extended transport header: the responder's memory of a write, read, flush or atomic write (IBA vol. 1, 9.3.3).
///
/// @param virtualAddress address of the first byte
/// @param remoteKey the responder's key for this memory
/// @param dmaLength bytes of the whole message, an unsigned 32-bit number
public record Reth(long virtualAddress, int remoteKey, long dmaLength) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 16;

    /// Reads the header.
    public static Reth parse(ByteBuffer buffer) {
        return new Reth(buffer.getLong(), buffer.getInt(), buffer.getInt() & 0xffff_ffffL);
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putLong(virtualAddress).putInt(remoteKey).putInt((int) dmaLength);
    }
}
