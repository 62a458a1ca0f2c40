// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.DatagramHeaders;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.HeaderKind;
import io.verbs4j.roce.Icrc;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.simulator.profile.Behaviour;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Encodes packets with the codec of `io.verbs4j.roce`. Used for captures, and for a wire that corrupts packets.
public final class PacketBytes {
    private static final int DEFAULT_PKEY = 0xffff;
    private static final int QUEUE_PAIR_MASK = 0xff_ffff;

    private PacketBytes() {}

    private static int ipBytes(Packet packet) {
        return packet.source.isIpv4() ? DatagramHeaders.IPV4_BYTES : DatagramHeaders.IPV6_BYTES;
    }

    /// Returns the number of bytes from the UDP header on.
    private static int lengthWithUdp(Packet packet) {
        int payload = packet.payload.length;
        return DatagramHeaders.UDP_BYTES + Opcode.headerBytes(packet.opcode) + payload + Bth.padCount(payload)
                + RoceV2Packet.ICRC_BYTES;
    }

    /// Returns the number of bytes from the IP header on.
    public static int lengthWithIp(Packet packet) {
        return ipBytes(packet) + lengthWithUdp(packet);
    }

    /// Returns the 40 bytes before a received datagram: an IPv6 header, or padding and an IPv4 header.
    static byte[] beforeDatagram(Packet packet) {
        ByteBuffer area = ByteBuffer.allocate(DatagramHeaders.IPV6_BYTES);
        putIp(packet, area.position(area.capacity() - ipBytes(packet)));
        return area.array();
    }

    private static void putIp(Packet packet, ByteBuffer buffer) {
        Address source = packet.source;
        Address destination = packet.destination;
        int length = lengthWithUdp(packet);
        if (source.isIpv4()) {
            DatagramHeaders.putIpv4(
                    buffer, source.ipv4(), destination.ipv4(), packet.trafficClass, packet.hopLimit, length);
        } else {
            DatagramHeaders.putIpv6(buffer, packet.trafficClass, packet.flowLabel, packet.hopLimit, length)
                    .putLong(source.high())
                    .putLong(source.low())
                    .putLong(destination.high())
                    .putLong(destination.low());
        }
    }

    /// Returns the packet from its IP header on.
    public static byte[] of(Packet packet, RxeDevice sender) {
        ByteBuffer buffer = ByteBuffer.allocate(lengthWithIp(packet));
        putIp(packet, buffer);
        DatagramHeaders.putUdp(buffer, packet.sourcePort, lengthWithUdp(packet) - DatagramHeaders.UDP_BYTES);
        int transport = buffer.position();
        encoded(packet).put(buffer);
        int end = buffer.position() - RoceV2Packet.ICRC_BYTES;
        byte[] covered = buffer.array();
        int coveredEnd = end;
        if (packet.is(Opcode.FLUSHES) && sender.has(Behaviour.FLUSHES_COUNT_THEIR_HEADERS_TWICE)) {
            int headers = Opcode.headerBytes(packet.opcode);
            coveredEnd = end + headers;
            covered = Arrays.copyOf(covered, coveredEnd);
            System.arraycopy(covered, transport, covered, end, headers);
        }
        int crc = Icrc.compute(covered, 0, transport, coveredEnd);
        return buffer.order(ByteOrder.LITTLE_ENDIAN).putInt(end, crc).array();
    }

    private static RoceV2Packet encoded(Packet packet) {
        var opcode = new RoceOpcode(packet.opcode);
        var bth = new Bth(opcode, packet.solicited, false, Bth.padCount(packet.payload.length), 0, DEFAULT_PKEY,
                false, false, packet.queuePair & QUEUE_PAIR_MASK, packet.asksForAcknowledgement, packet.psn);
        return new RoceV2Packet.Builder()
                .bth(bth)
                .extensions(opcode.headers()
                        .stream()
                        .map(kind -> header(kind, packet))
                        .toArray(RoceHeader[]::new))
                .payload(packet.payload)
                .build();
    }

    private static RoceHeader header(HeaderKind kind, Packet packet) {
        return switch (kind) {
            case DETH -> new Deth(packet.qkey, packet.sourceQueuePair);
            case FETH -> new Feth(packet.flushType & 0xf, packet.flushLevel & 3);
            case RETH -> new Reth(packet.remoteAddress, packet.key, Integer.toUnsignedLong(packet.length));
            case ATOMIC_ETH -> new AtomicEth(packet.remoteAddress, packet.key, packet.swapOrAdd, packet.compare);
            case AETH -> new Aeth(packet.syndrome, packet.messages);
            case ATOMIC_ACK_ETH -> new AtomicAckEth(packet.original);
            case IMM_DT -> new ImmDt(Integer.reverseBytes(packet.data)); // in memory order
            case IETH -> new Ieth(packet.data);
            default -> throw new IllegalArgumentException("rxe has no " + kind.abbreviation());
        };
    }
}
