// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A header of the InfiniBand transport (IBA vol. 1, chapter 9), all fields in network order on the wire.
public sealed interface RoceHeader
        permits Bth, DcEth, DcConnectEth, Rdeth, XrcEth, Deth, Feth, Reth, AtomicEth, Aeth, AtomicAckEth, ImmDt, Ieth {
    /// Writes the header in wire format.
    void put(ByteBuffer buffer);

    /// Returns the header in wire format.
    default byte[] bytes() {
        var buffer = ByteBuffer.allocate(AtomicEth.BYTES); // no header is longer
        put(buffer);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    /// Reads three bytes.
    static int getUnsigned24(ByteBuffer buffer) {
        return (buffer.get() & 0xff) << 16 | (buffer.getShort() & 0xffff);
    }

    /// Writes three bytes.
    static void putUnsigned24(ByteBuffer buffer, int value) {
        buffer.put((byte) (value >>> 16)).putShort((short) value);
    }
}
