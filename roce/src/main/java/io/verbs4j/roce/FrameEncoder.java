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
        int udpOffset = ipOffset + (ipV4 ? DatagramHeaders.IPV4_BYTES : DatagramHeaders.IPV6_BYTES);
        int udpLength = DatagramHeaders.UDP_BYTES + payload.length;
        var frame = ByteBuffer.allocate(udpOffset + udpLength)
                .put(ADDRESSES)
                .putShort((short) (ipV4 ? LayerWalk.TYPE_IPV4 : LayerWalk.TYPE_IPV6));
        if (ipV4) {
            DatagramHeaders.putIpv4(frame, number(source), number(destination), 0, HOPS, udpLength);
        } else {
            DatagramHeaders.putIpv6(frame, 0, 0, HOPS, udpLength)
                    .put(source.getAddress())
                    .put(destination.getAddress());
        }
        DatagramHeaders.putUdp(frame, sourcePort, payload.length).put(payload);
        byte[] bytes = frame.array();
        int end = bytes.length - RoceV2Packet.ICRC_BYTES;
        int bthOffset = udpOffset + DatagramHeaders.UDP_BYTES;
        frame.order(ByteOrder.LITTLE_ENDIAN).putInt(end, Icrc.compute(bytes, ipOffset, bthOffset, end));
        return bytes;
    }

    private static int number(InetAddress ipV4) {
        return ByteBuffer.wrap(ipV4.getAddress()).getInt();
    }
}
