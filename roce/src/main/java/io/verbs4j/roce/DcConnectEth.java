// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// Header of a packet that connects mlx5's dynamically connected transport (DC). Its fields are not published.
///
/// @param high the first 8 bytes as a number
/// @param low the last 8 bytes as a number
public record DcConnectEth(long high, long low) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 16;

    /// Reads the header.
    public static DcConnectEth parse(ByteBuffer buffer) {
        return new DcConnectEth(buffer.getLong(), buffer.getLong());
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putLong(high).putLong(low);
    }
}
