// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Creates Ethernet frames from RoCE v2 packets, with the outer layers, lengths, checksums and the invariant CRC.
/// [FrameDecoder] reads these frames. There is no UDP checksum, because RoCE v2 has the invariant CRC.
public final class FrameEncoder {
    private static final byte HOPS = 64;
    private static final byte[] ADDRESSES = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}; // destination, source
    private static final int TYPE_BYTES = 2;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int IPV4_CHECKSUM = 10;
    private static final int UDP = 17;

    private FrameEncoder() {}

    /// Returns the frame.
    ///
    /// @param source IPv4 or IPv6 address, of the destination's family
    /// @param sourcePort UDP source port
    /// @param packet the packet; its own invariant CRC is ignored
    public static byte[] encode(InetAddress source, InetAddress destination, int sourcePort, RoceV2Packet packet) {
        byte[] payload = packet.bytes();
        boolean ipV4 = source instanceof Inet4Address;
        int ipOffset = ADDRESSES.length + TYPE_BYTES;
        int udpOffset = ipOffset + (ipV4 ? IPV4_BYTES : IPV6_BYTES);
        int udpLength = UDP_BYTES + payload.length;
        var frame = ByteBuffer.allocate(udpOffset + udpLength).put(ADDRESSES);
        if (ipV4) {
            frame.putShort((short) 0x0800)
                    .putShort((short) 0x4500)
                    .putShort((short) (IPV4_BYTES + udpLength))
                    .putInt(0x4000) // do not fragment
                    .put(HOPS)
                    .put((byte) UDP)
                    .putShort((short) 0);
        } else {
            frame.putShort((short) 0x86dd)
                    .putInt(0x6000_0000)
                    .putShort((short) udpLength)
                    .put((byte) UDP)
                    .put(HOPS);
        }
        frame.put(source.getAddress()).put(destination.getAddress());
        if (ipV4) {
            frame.putShort(ipOffset + IPV4_CHECKSUM, checksum(frame, ipOffset));
        }
        frame.putShort((short) sourcePort)
                .putShort((short) RoceV2Packet.UDP_PORT)
                .putShort((short) udpLength)
                .putShort((short) 0)
                .put(payload);
        byte[] bytes = frame.array();
        int end = bytes.length - RoceV2Packet.ICRC_BYTES;
        frame.order(ByteOrder.LITTLE_ENDIAN).putInt(end, Icrc.compute(bytes, ipOffset, udpOffset + UDP_BYTES, end));
        return bytes;
    }

    /// Computes the checksum of an IPv4 header (RFC 1071).
    private static short checksum(ByteBuffer frame, int offset) {
        int sum = 0;
        for (int i = 0; i < IPV4_BYTES; i += Short.BYTES) {
            sum += Short.toUnsignedInt(frame.getShort(offset + i));
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short) ~((sum & 0xffff) + (sum >>> 16));
    }
}
