// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.wire;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.Icrc;
import io.verbs4j.roce.LinkTypes;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;

import java.net.InetAddress;
import java.util.Optional;
import org.pcap4j.packet.EthernetPacket;
import org.pcap4j.packet.IllegalRawDataException;
import org.pcap4j.packet.IpPacket;
import org.pcap4j.packet.IpSelector;
import org.pcap4j.packet.LinuxSllPacket;
import org.pcap4j.packet.Packet;
import org.pcap4j.packet.UdpPacket;

/// Finds the RoCE v2 packet in a captured frame. Pcap4J reads the layers up to UDP; what follows it takes for unknown bytes.
public final class FrameDecoder {
    private final int linkType;

    /// @param linkType what the frames start with (`LINKTYPE_*`): Ethernet, Linux cooked, or IP
    /// @throws IllegalArgumentException if it is another one
    public FrameDecoder(int linkType) {
        if (linkType != LinkTypes.ETHERNET && linkType != LinkTypes.RAW_IP && linkType != LinkTypes.LINUX_COOKED) {
            throw new IllegalArgumentException("frames of link type " + linkType
                    + " are not known here; capture on one interface, not on 'any' (tcpdump -i veth0)");
        }
        this.linkType = linkType;
    }

    /// The packet in a frame; empty if it is something else than RoCE v2.
    ///
    /// @throws DamagedPacketException if it goes to the port of RoCE v2 and is damaged or cut
    public Optional<RoceFrame> decode(CapturedFrame frame) throws DamagedPacketException {
        if (frame.bytes().length == 0) {
            return Optional.empty();
        }
        Packet whole;
        try {
            whole = parse(frame.bytes());
        } catch (IllegalRawDataException | RuntimeException e) {
            // Too short to be what we look for; or damaged in a way that Pcap4J answers with another exception than it documents.
            return Optional.empty();
        }
        IpPacket ip = whole.get(IpPacket.class);
        UdpPacket udp = whole.get(UdpPacket.class);
        if (ip == null || udp == null || udp.getHeader().getDstPort().valueAsInt() != RoceV2Packet.UDP_PORT) {
            return Optional.empty();
        }
        return Optional.of(decode(frame, ip, offset(whole, ip), udp.getHeader(), offset(whole, udp)));
    }

    private Packet parse(byte[] bytes) throws IllegalRawDataException {
        return switch (linkType) {
            case LinkTypes.ETHERNET -> EthernetPacket.newPacket(bytes, 0, bytes.length);
            case LinkTypes.LINUX_COOKED -> LinuxSllPacket.newPacket(bytes, 0, bytes.length);
            default -> IpSelector.newPacket(bytes, 0, bytes.length);
        };
    }

    /// Returns the offset of a layer within the frame.
    @SuppressWarnings("ReferenceEquality") // that very layer
    private static int offset(Packet whole, Packet layer) {
        int offset = 0;
        for (Packet outer : whole) {
            if (outer == layer) {
                break;
            }
            offset += outer.getHeader().length();
        }
        return offset;
    }

    private static RoceFrame decode(
            CapturedFrame frame, IpPacket ip, int ipOffset, UdpPacket.UdpHeader udp, int udpOffset)
            throws DamagedPacketException {
        byte[] bytes = frame.bytes();
        int start = udpOffset + udp.length();
        int end = udpOffset + udp.getLengthAsInt();
        if (frame.isCut() && end > bytes.length) {
            throw new DamagedPacketException(
                    "cut to " + bytes.length + " of " + frame.originalLength() + " bytes by the capture");
        }
        RoceV2Packet packet = RoceV2Packet.parse(bytes, start, end - start);
        return new RoceFrame(
                frame.nanoseconds(),
                ip.getHeader().getSrcAddr(),
                ip.getHeader().getDstAddr(),
                udp.getSrcPort().valueAsInt(),
                packet,
                Icrc.compute(bytes, ipOffset, udpOffset, end - RoceV2Packet.ICRC_BYTES));
    }

    /// Decodes a packet of its own. Whoever captures does so before: loading all that decoding takes with the first packet would
    /// delay those after it, and so their times.
    ///
    /// @return that packet
    public static RoceFrame warmUp() {
        var bth = new Bth(RoceOpcode.RC_ACKNOWLEDGE, false, false, 0, 0, 0, false, false, 0, false, 0);
        var acknowledge = new RoceV2Packet.Builder().bth(bth).extensions(new Aeth(0, 0)).build();
        InetAddress address = InetAddress.getLoopbackAddress();
        byte[] bytes = FrameEncoder.encode(address, address, 0, acknowledge);
        try {
            return new FrameDecoder(LinkTypes.ETHERNET).decode(new CapturedFrame(1, 0, bytes.length, bytes))
                    .orElseThrow();
        } catch (DamagedPacketException e) {
            throw new IllegalStateException(e);
        }
    }
}
