// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.Packet;
import io.verbs4j.simulator.rxe.PacketBytes;
import io.verbs4j.simulator.rxe.RxeDevice;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Writes Ethernet frames to a capture in pcap format with nanosecond timestamps.
final class Capture {
    private static final int MAGIC = 0xa1b2_3c4d;
    private static final int VERSION = 4 << 16 | 2;
    private static final int LONGEST = 1 << 16;
    private static final int ETHERNET = 1;
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int FRAME_HEADER = 14;
    private static final int SECOND = 1_000_000_000;
    private static final short IPV4 = 0x0800;
    private static final short IPV6 = (short) 0x86dd;

    private final OutputStream stream;

    Capture(OutputStream stream) {
        this.stream = stream;
        put(ByteBuffer.allocate(FILE_HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION >>> 16 | VERSION << 16)
                .putLong(0)
                .putInt(LONGEST)
                .putInt(ETHERNET)
                .array());
    }

    void write(long nanos, byte[] frame) {
        put(ByteBuffer.allocate(RECORD_HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) (nanos / SECOND))
                .putInt((int) (nanos % SECOND))
                .putInt(frame.length)
                .putInt(frame.length)
                .array());
        put(frame);
    }

    /// Returns the Ethernet frame of a packet.
    ///
    /// @param damage selects the corrupted bit of the packet; 0 if it is intact
    static byte[] frame(Packet packet, RxeDevice sender, int damage) {
        byte[] bytes = PacketBytes.of(packet, sender);
        if (damage != 0) {
            int bit = Math.floorMod(damage, bytes.length * Byte.SIZE);
            bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        }
        return ByteBuffer.allocate(FRAME_HEADER + bytes.length)
                .put(ethernet(packet.destination()))
                .put(ethernet(packet.source()))
                .putShort(packet.source().isIpv4() ? IPV4 : IPV6)
                .put(bytes)
                .array();
    }

    private static byte[] ethernet(Address address) {
        int low = (int) address.low();
        return address.isMulticast()
                ? new byte[]{1, 0, 0x5e, (byte) (low >>> 16 & 0x7f), (byte) (low >>> 8), (byte) low}
                : new byte[]{2, 0, 0, 0, 0, (byte) low};
    }

    private void put(byte[] bytes) {
        try {
            stream.write(bytes);
            stream.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
