// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// Invalidate extended transport header (IBA vol. 1, 9.3.7).
///
/// @param remoteKey the receiver's key that is invalidated
public record Ieth(int remoteKey) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 4;

    /// Reads the header.
    public static Ieth parse(ByteBuffer buffer) {
        return new Ieth(buffer.getInt());
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putInt(remoteKey);
    }
}
