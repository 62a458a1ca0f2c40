// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.PcapWriter;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.Packet;
import io.verbs4j.simulator.rxe.PacketBytes;
import io.verbs4j.simulator.rxe.RxeDevice;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Writes the Ethernet frames of packets to a capture.
final class Capture {
    private static final int FRAME_HEADER = 14;
    private static final short IPV4 = 0x0800;
    private static final short IPV6 = (short) 0x86dd;

    private final PcapWriter writer;
    private long frames;
    private @Nullable IOException failure;

    Capture(OutputStream stream) {
        try {
            writer = new PcapWriter(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes a frame, unless an earlier frame could not be written. Never throws: the caller delivers the packet.
    void write(long nanos, byte[] frame) {
        if (failure == null) {
            try {
                writer.write(new CapturedFrame(frames + 1, nanos, frame.length, frame));
                frames++;
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    /// @throws UncheckedIOException if a frame could not be written
    void end() {
        if (failure != null) {
            throw new UncheckedIOException("cannot write to the capture after " + frames + " packets", failure);
        }
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
}
