// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// Header of each packet of mlx5's dynamically connected transport (DC). Its fields are not published.
///
/// @param bits the header as a number
public record DcEth(long bits) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 8;

    /// Reads the header.
    public static DcEth parse(ByteBuffer buffer) {
        return new DcEth(buffer.getLong());
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putLong(bits);
    }
}
