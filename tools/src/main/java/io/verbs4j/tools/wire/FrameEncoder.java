// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.wire;

import io.verbs4j.roce.Icrc;
import io.verbs4j.roce.RoceV2Packet;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.pcap4j.packet.EthernetPacket;
import org.pcap4j.packet.IpPacket;
import org.pcap4j.packet.IpV4Packet;
import org.pcap4j.packet.IpV4Rfc1349Tos;
import org.pcap4j.packet.IpV6Packet;
import org.pcap4j.packet.IpV6SimpleFlowLabel;
import org.pcap4j.packet.IpV6SimpleTrafficClass;
import org.pcap4j.packet.Packet;
import org.pcap4j.packet.UdpPacket;
import org.pcap4j.packet.UnknownPacket;
import org.pcap4j.packet.namednumber.EtherType;
import org.pcap4j.packet.namednumber.IpNumber;
import org.pcap4j.packet.namednumber.IpVersion;
import org.pcap4j.packet.namednumber.UdpPort;
import org.pcap4j.util.MacAddress;

/// Makes Ethernet frames of RoCE v2 packets, with the layers, lengths and checksums that belong around them, and their invariant
/// CRC: what [FrameDecoder] reads.
public final class FrameEncoder {
    private static final MacAddress SOURCE = MacAddress.getByName("02:00:00:00:00:01");
    private static final MacAddress DESTINATION = MacAddress.getByName("02:00:00:00:00:02");
    private static final byte HOPS = 64;

    private FrameEncoder() {}

    /// The frame.
    ///
    /// @param source IPv4 or IPv6 address, of the kind of the destination's
    /// @param sourcePort UDP source port
    /// @param packet what to send; its own invariant CRC is not looked at
    public static byte[] encode(InetAddress source, InetAddress destination, int sourcePort, RoceV2Packet packet) {
        var udp = new UdpPacket.Builder()
                .srcAddr(source)
                .dstAddr(destination)
                .srcPort(UdpPort.getInstance((short) sourcePort))
                .dstPort(UdpPort.getInstance((short) RoceV2Packet.UDP_PORT))
                .correctLengthAtBuild(true) // no checksum, as RoCE v2 has an invariant CRC
                .payloadBuilder(new UnknownPacket.Builder().rawData(packet.bytes()));
        Packet.Builder ip = source instanceof Inet4Address ? ipV4(source, destination) : ipV6(source, destination);
        ip.payloadBuilder(udp);
        var ethernet = new EthernetPacket.Builder()
                .srcAddr(SOURCE)
                .dstAddr(DESTINATION)
                .type(source instanceof Inet4Address ? EtherType.IPV4 : EtherType.IPV6)
                .payloadBuilder(ip)
                .pad(new byte[0])
                .build();
        return sealed(ethernet);
    }

    private static Packet.Builder ipV4(InetAddress source, InetAddress destination) {
        return new IpV4Packet.Builder()
                .version(IpVersion.IPV4)
                .tos(IpV4Rfc1349Tos.newInstance((byte) 0))
                .ttl(HOPS)
                .protocol(IpNumber.UDP)
                .srcAddr((Inet4Address) source)
                .dstAddr((Inet4Address) destination)
                .dontFragmentFlag(true)
                .correctChecksumAtBuild(true)
                .correctLengthAtBuild(true);
    }

    private static Packet.Builder ipV6(InetAddress source, InetAddress destination) {
        return new IpV6Packet.Builder()
                .version(IpVersion.IPV6)
                .trafficClass(IpV6SimpleTrafficClass.newInstance((byte) 0))
                .flowLabel(IpV6SimpleFlowLabel.newInstance(0))
                .nextHeader(IpNumber.UDP)
                .hopLimit(HOPS)
                .srcAddr((Inet6Address) source)
                .dstAddr((Inet6Address) destination)
                .correctLengthAtBuild(true);
    }

    private static byte[] sealed(EthernetPacket ethernet) {
        byte[] frame = ethernet.getRawData();
        int ipOffset = ethernet.getHeader().length();
        int udpOffset = ipOffset + ethernet.get(IpPacket.class).getHeader().length();
        int end = frame.length - RoceV2Packet.ICRC_BYTES;
        ByteBuffer.wrap(frame)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(end, Icrc.compute(frame, ipOffset, udpOffset, end));
        return frame;
    }
}
