// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// Immediate data (IBA vol. 1, 9.3.6).
///
/// @param immediateData value for the receiver's completion
public record ImmDt(int immediateData) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 4;

    /// Reads the header.
    public static ImmDt parse(ByteBuffer buffer) {
        return new ImmDt(buffer.getInt());
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putInt(immediateData);
    }
}
