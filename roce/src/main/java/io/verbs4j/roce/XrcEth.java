// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import io.verbs4j.types.Ranges;
import java.nio.ByteBuffer;

/// Extended transport header of extended reliable connections (IBA vol. 1, A14), in every request.
///
/// @param sharedReceiveQueue number of the receiver's shared receive queue, 24 bits
public record XrcEth(int sharedReceiveQueue) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 4;

    /// Checks the ranges.
    public XrcEth {
        Ranges.check("sharedReceiveQueue", sharedReceiveQueue, 0, 0xffffff);
    }

    /// Reads the header. Reserved bits are not kept.
    public static XrcEth parse(ByteBuffer buffer) {
        return new XrcEth(buffer.getInt() & 0xffffff);
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putInt(sharedReceiveQueue);
    }
}
