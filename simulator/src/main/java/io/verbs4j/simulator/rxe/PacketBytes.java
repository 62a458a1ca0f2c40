// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/// Encodes packets, for captures and for a wire that corrupts them: BTH, extension headers, payload, padding and the
/// invariant CRC (IBA vol. 1, chapter 9 and A17).
public final class PacketBytes {
    private static final int BTH = 12;
    private static final int CRC = 4;
    private static final int PORT = 4791;
    private static final int DEFAULT_PKEY = 0xffff;
    private static final int UDP_HEADER = 8;

    private PacketBytes() {}

    private static int headers(Packet packet) {
        int bytes = BTH;
        bytes += packet.is(Opcode.DETH) ? 8 : 0;
        bytes += packet.is(Opcode.FETH) ? 4 : 0;
        bytes += packet.is(Opcode.RETH) ? 16 : 0;
        bytes += packet.is(Opcode.ATOMIC_ETH) ? 28 : 0;
        bytes += packet.is(Opcode.AETH) ? 4 : 0;
        bytes += packet.is(Opcode.ATOMIC_ACK) ? 8 : 0;
        bytes += packet.is(Opcode.IMMEDIATE | Opcode.INVALIDATES) ? 4 : 0;
        return bytes;
    }

    private static int padding(Packet packet) {
        return -packet.payload.length & 3;
    }

    /// Returns the number of bytes after the UDP header.
    static int length(Packet packet) {
        return headers(packet) + packet.payload.length + padding(packet) + CRC;
    }

    /// Returns the number of bytes from the IP header on.
    public static int lengthWithIp(Packet packet) {
        return (packet.source.isIpv4() ? IpHeader.IPV4 : IpHeader.IPV6) + UDP_HEADER + length(packet);
    }

    /// Returns the packet from its IP header on.
    public static byte[] of(Packet packet, RxeDevice sender) {
        int length = length(packet);
        byte[] ip = IpHeader.bytes(packet, UDP_HEADER + length);
        ByteBuffer buffer = ByteBuffer.allocate(ip.length + UDP_HEADER + length);
        buffer.put(ip)
                .putShort((short) packet.sourcePort)
                .putShort((short) PORT)
                .putShort((short) (UDP_HEADER + length))
                .putShort((short) 0);
        int transport = buffer.position();
        headers(packet, buffer);
        int headersEnd = buffer.position();
        buffer.put(packet.payload).put(new byte[padding(packet)]);
        boolean twice = packet.is(Opcode.FLUSHES) && sender.has(Behaviour.FLUSHES_COUNT_THEIR_HEADERS_TWICE);
        int crc = crc(buffer.array(), ip.length, buffer.position(), twice ? transport : headersEnd, headersEnd);
        return buffer.order(ByteOrder.LITTLE_ENDIAN).putInt(crc).array();
    }

    private static void headers(Packet packet, ByteBuffer buffer) {
        buffer.put((byte) packet.opcode)
                .put((byte) ((packet.solicited ? 0x80 : 0) | padding(packet) << 4))
                .putShort((short) DEFAULT_PKEY)
                .putInt(packet.queuePair)
                .putInt((packet.asksForAcknowledgement ? 1 << 31 : 0) | packet.psn);
        if (packet.is(Opcode.DETH)) {
            buffer.putInt(packet.qkey).putInt(packet.sourceQueuePair);
        }
        if (packet.is(Opcode.FETH)) {
            buffer.putInt((packet.flushType & 0xf) | (packet.flushLevel & 3) << 4);
        }
        if (packet.is(Opcode.RETH)) {
            buffer.putLong(packet.remoteAddress).putInt(packet.key).putInt(packet.length);
        }
        if (packet.is(Opcode.ATOMIC_ETH)) {
            buffer.putLong(packet.remoteAddress).putInt(packet.key).putLong(packet.swapOrAdd).putLong(packet.compare);
        }
        if (packet.is(Opcode.AETH)) {
            buffer.putInt(packet.syndrome << 24 | packet.messages);
        }
        if (packet.is(Opcode.ATOMIC_ACK)) {
            buffer.putLong(packet.original);
        }
        if (packet.is(Opcode.IMMEDIATE)) {
            // In memory order.
            buffer.putInt(Integer.reverseBytes(packet.data));
        } else if (packet.is(Opcode.INVALIDATES)) {
            buffer.putInt(packet.data);
        }
    }

    /// Returns the CRC over eight bytes `ff` and the packet. Fields that routers may change are replaced by ones. A
    /// part of the packet may be included a second time, unchanged.
    private static int crc(byte[] bytes, int transport, int end, int again, int againEnd) {
        byte[] masked = bytes.clone();
        if (transport == IpHeader.IPV4) {
            masked[1] = -1;
            masked[8] = -1;
            masked[10] = -1;
            masked[11] = -1;
        } else {
            masked[0] |= 0x0f;
            masked[1] = -1;
            masked[2] = -1;
            masked[3] = -1;
            masked[7] = -1;
        }
        masked[transport + 6] = -1;
        masked[transport + 7] = -1;
        masked[transport + UDP_HEADER + 4] = -1;
        var crc = new CRC32();
        crc.update(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1});
        crc.update(masked, 0, end);
        crc.update(bytes, again, againEnd - again);
        return (int) crc.getValue();
    }
}
