// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// A header of the InfiniBand transport (IBA vol. 1, chapter 9), all fields in network order on the wire.
public sealed interface RoceHeader
        permits Bth, DcEth, DcConnectEth, Rdeth, XrcEth, Deth, Feth, Reth, AtomicEth, Aeth, AtomicAckEth, ImmDt, Ieth {
    /// Returns the header in wire format.
    byte[] bytes();

    /// Returns a header of `length` bytes, which `fields` has filled.
    static byte[] bytes(int length, Consumer<ByteBuffer> fields) {
        var buffer = ByteBuffer.allocate(length);
        fields.accept(buffer);
        return buffer.array();
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
