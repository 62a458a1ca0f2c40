// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import java.nio.ByteBuffer;

/// The IP header of a packet, as it precedes a received datagram and begins a captured packet.
final class IpHeader {
    /// Size of the header before a datagram: an IPv6 header, or padding and an IPv4 header.
    private static final int BEFORE_DATAGRAM = 40;

    static final int IPV4 = 20;
    static final int IPV6 = 40;
    static final int UDP = 17;
    private static final int UDP_HEADER = 8;
    private static final int DONT_FRAGMENT = 0x4000;

    private IpHeader() {}

    /// Returns the 40 bytes before a datagram.
    static byte[] of(Packet packet) {
        byte[] header = bytes(packet, UDP_HEADER + PacketBytes.length(packet));
        if (header.length == BEFORE_DATAGRAM) {
            return header;
        }
        var area = new byte[BEFORE_DATAGRAM];
        System.arraycopy(header, 0, area, BEFORE_DATAGRAM - header.length, header.length);
        return area;
    }

    /// Returns the header alone.
    ///
    /// @param length number of bytes after it
    static byte[] bytes(Packet packet, int length) {
        return packet.source.isIpv4() ? ipv4(packet, length) : ipv6(packet, length);
    }

    private static byte[] ipv4(Packet packet, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(IPV4)
                .put((byte) 0x45)
                .put((byte) packet.trafficClass)
                .putShort((short) (IPV4 + length))
                .putShort((short) 0)
                .putShort((short) DONT_FRAGMENT)
                .put((byte) packet.hopLimit)
                .put((byte) UDP)
                .putShort((short) 0)
                .putInt(packet.source.ipv4())
                .putInt(packet.destination.ipv4());
        int sum = 0;
        for (int i = 0; i < IPV4; i += 2) {
            sum += buffer.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = (sum & 0xffff) + (sum >>> 16);
        return buffer.putShort(10, (short) ~sum).array();
    }

    private static byte[] ipv6(Packet packet, int length) {
        return ByteBuffer.allocate(IPV6)
                .putInt(6 << 28 | packet.trafficClass << 20 | packet.flowLabel)
                .putShort((short) length)
                .put((byte) UDP)
                .put((byte) packet.hopLimit)
                .putLong(packet.source.high())
                .putLong(packet.source.low())
                .putLong(packet.destination.high())
                .putLong(packet.destination.low())
                .array();
    }
}
