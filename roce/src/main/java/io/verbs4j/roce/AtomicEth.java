// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// Atomic extended transport header (IBA vol. 1, 9.3.4).
///
/// @param virtualAddress address of the responder's 8 bytes
/// @param remoteKey the responder's key for these bytes
/// @param swapOrAdd the new value, or the number to add
/// @param compare the value that compare-and-swap expects; ignored by fetch-and-add
public record AtomicEth(long virtualAddress, int remoteKey, long swapOrAdd, long compare) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 28;

    /// Reads the header.
    public static AtomicEth parse(ByteBuffer buffer) {
        return new AtomicEth(buffer.getLong(), buffer.getInt(), buffer.getLong(), buffer.getLong());
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putLong(virtualAddress)
                .putInt(remoteKey)
                .putLong(swapOrAdd)
                .putLong(compare);
    }
}
