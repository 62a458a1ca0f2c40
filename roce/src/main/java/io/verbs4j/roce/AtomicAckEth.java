// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// Atomic acknowledgement extended transport header (IBA vol. 1, 9.3.5.3).
///
/// @param original previous value of the responder's 8 bytes
public record AtomicAckEth(long original) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 8;

    /// Reads the header.
    public static AtomicAckEth parse(ByteBuffer buffer) {
        return new AtomicAckEth(buffer.getLong());
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putLong(original);
    }
}
