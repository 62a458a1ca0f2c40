// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static io.verbs4j.roce.DatagramHeaders.IPV4_BYTES;
import static io.verbs4j.roce.DatagramHeaders.IPV6_BYTES;
import static io.verbs4j.roce.DatagramHeaders.UDP_BYTES;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/// One pass over the layers of a frame, from its first header to its RoCE packet.
///
/// An offset from a length field may exceed the captured bytes: the capture or an adapter may have truncated the frame.
final class LayerWalk {
    private static final int ETHERNET_BYTES = 14;
    private static final int COOKED_BYTES = 16;
    private static final int COOKED_2_BYTES = 20;
    private static final int IPV6_ADDRESSES = 8;
    private static final int EXTENSION_UNIT = 8;
    private static final int VXLAN_BYTES = 8;
    private static final int GRE_BYTES = 4;

    static final int TYPE_IPV4 = 0x0800;
    static final int TYPE_IPV6 = 0x86dd;
    private static final int TYPE_ROCE_V1 = 0x8915;
    private static final int TYPE_BRIDGED_ETHERNET = 0x6558;
    private static final int TYPE_ERSPAN = 0x88be;
    private static final int TYPE_ERSPAN_3 = 0x22eb;

    private static final int PROTOCOL_IPV4 = 4;
    private static final int PROTOCOL_UDP = 17;
    private static final int PROTOCOL_IPV6 = 41;
    private static final int PROTOCOL_GRE = 47;
    /// The next header of a global route header.
    private static final int NEXT_IS_BTH = 0x1b;

    private static final int VXLAN_PORT = 4789;
    /// Linux used this port before the official port was assigned.
    private static final int VXLAN_PORT_OF_LINUX = 8472;
    private static final int VXLAN_WITH_NUMBER = 0x08;
    /// Tunnels within tunnels. A crafted frame of empty headers has thousands, each of which needs stack.
    private static final int MAX_TUNNELS = 16;

    private final CapturedFrame frame;
    private final byte[] bytes;
    private final List<VlanTag> vlans = new ArrayList<>();
    private final List<String> tunnels = new ArrayList<>();
    /// The end of the frame, or of the layer around the current one, according to the lengths; exceeds `bytes` if
    /// truncated.
    private long limit;
    /// The first length that exceeds the available bytes, in words; empty if no length does.
    private String excess = "";

    LayerWalk(CapturedFrame frame) {
        this.frame = frame;
        bytes = frame.bytes();
        limit = Math.max(bytes.length, frame.originalLength());
    }

    DecodedFrame decode() {
        return switch (frame.linkType()) {
            case LinkTypes.ETHERNET -> ethernet(0);
            case LinkTypes.LINUX_COOKED ->
                has(0, COOKED_BYTES) ? typed(u16(COOKED_BYTES - 2), COOKED_BYTES) : OtherFrame.TOO_SHORT;
            case LinkTypes.LINUX_COOKED_2 ->
                has(0, COOKED_2_BYTES) ? typed(u16(0), COOKED_2_BYTES) : OtherFrame.TOO_SHORT;
            case LinkTypes.RAW_IP, LinkTypes.IPV4, LinkTypes.IPV6 -> ip(0);
            default -> OtherFrame.UNKNOWN_LINK_TYPE;
        };
    }

    private boolean has(int offset, int length) {
        return offset + length <= bytes.length;
    }

    private int u8(int offset) {
        return bytes[offset] & 0xff;
    }

    private int u16(int offset) {
        return u8(offset) << 8 | u8(offset + 1);
    }

    private DecodedFrame ethernet(int offset) {
        return has(offset, ETHERNET_BYTES)
                ? typed(u16(offset + ETHERNET_BYTES - 2), offset + ETHERNET_BYTES)
                : OtherFrame.TOO_SHORT;
    }

    /// Decodes the bytes after an Ethernet type.
    private DecodedFrame typed(int etherType, int offset) {
        int type = etherType;
        int next = offset;
        while (type == 0x8100 || type == 0x88a8 || type == 0x9100) {
            if (!has(next, VlanTag.BYTES)) {
                return OtherFrame.TOO_SHORT;
            }
            vlans.add(VlanTag.of(u16(next)));
            type = u16(next + 2);
            next += VlanTag.BYTES;
        }
        return switch (type) {
            case TYPE_IPV4, TYPE_IPV6 -> ip(next);
            case TYPE_ROCE_V1 -> roceV1(next);
            default -> OtherFrame.OTHER_PROTOCOL;
        };
    }

    private DecodedFrame ip(int offset) {
        if (tunnels.size() > MAX_TUNNELS) {
            return OtherFrame.OTHER_PROTOCOL;
        }
        if (!has(offset, 1)) {
            return OtherFrame.TOO_SHORT;
        }
        return switch (u8(offset) >>> 4) {
            case 4 -> ipV4(offset);
            case 6 -> ipV6(offset);
            default -> OtherFrame.OTHER_PROTOCOL;
        };
    }

    /// Innermost IP header.
    ///
    /// @param fragment whether more fragments follow this first one
    private record Ip(
            int offset, InetAddress source, InetAddress destination, int trafficClass, int hopLimit,
            boolean fragment) {}

    private DecodedFrame ipV4(int offset) {
        if (!has(offset, IPV4_BYTES)) {
            return OtherFrame.TOO_SHORT;
        }
        int header = (u8(offset) & 0xf) * Integer.BYTES;
        if (header < IPV4_BYTES) {
            return OtherFrame.OTHER_PROTOCOL;
        }
        int length = u16(offset + 2);
        if (length != 0) { // 0: an adapter would have segmented it
            if (length < header) {
                return OtherFrame.OTHER_PROTOCOL;
            }
            narrow(offset + length, "IP");
        }
        int fragments = u16(offset + 6);
        int protocol = u8(offset + 9);
        if ((fragments & 0x1fff) != 0) {
            return fragment(protocol);
        }
        var ip = new Ip(offset, address(offset + 12, 4), address(offset + 16, 4), u8(offset + 1), u8(offset + 8),
                (fragments & 0x2000) != 0);
        return transport(protocol, offset + header, ip);
    }

    private static DecodedFrame fragment(int protocol) {
        return protocol == PROTOCOL_UDP ? OtherFrame.FRAGMENT : OtherFrame.OTHER_PROTOCOL;
    }

    private DecodedFrame ipV6(int offset) {
        if (!has(offset, IPV6_BYTES)) {
            return OtherFrame.TOO_SHORT;
        }
        int length = u16(offset + 4);
        if (length != 0) {
            narrow(offset + IPV6_BYTES + length, "IP");
        }
        int next = u8(offset + 6);
        int end = offset + IPV6_BYTES;
        boolean fragment = false;
        while (next == 0 || next == 43 || next == 44 || next == 60) { // hop-by-hop, routing, fragment, destination
            if (!has(end, EXTENSION_UNIT)) {
                return OtherFrame.TOO_SHORT;
            }
            int extension = next;
            next = u8(end);
            if (extension == 44) {
                int fragments = u16(end + 2);
                if (fragments >>> 3 != 0) {
                    return fragment(next);
                }
                fragment = (fragments & 1) != 0;
                end += EXTENSION_UNIT;
            } else {
                end += (u8(end + 1) + 1) * EXTENSION_UNIT;
            }
        }
        return transport(next, end, ipV6Header(offset, fragment));
    }

    private Ip ipV6Header(int offset, boolean fragment) {
        return new Ip(
                offset,
                address(offset + IPV6_ADDRESSES, 16),
                address(offset + IPV6_ADDRESSES + 16, 16),
                u16(offset) >>> 4 & 0xff,
                u8(offset + 7),
                fragment);
    }

    private InetAddress address(int offset, int length) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, offset, offset + length));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // of another length
        }
    }

    /// Ends the current layer at `end`. Records an error if `end` exceeds the outer layer.
    private void narrow(long end, String layer) {
        if (end <= limit) {
            limit = end;
        } else if (excess.isEmpty()) {
            excess = bytes.length + " of " + end + " bytes are there, by the length of " + layer;
            // Handles the packet like one that an adapter has truncated after sending.
            limit = Math.max(limit, end);
        }
    }

    private DecodedFrame transport(int protocol, int offset, Ip ip) {
        return switch (protocol) {
            case PROTOCOL_UDP -> udp(offset, ip);
            case PROTOCOL_GRE -> gre(offset);
            case PROTOCOL_IPV4, PROTOCOL_IPV6 -> {
                tunnels.add("IP in IP");
                yield ip(offset);
            }
            default -> OtherFrame.OTHER_PROTOCOL;
        };
    }

    private DecodedFrame udp(int offset, Ip ip) {
        if (!has(offset, UDP_BYTES)) {
            return OtherFrame.TOO_SHORT;
        }
        int port = u16(offset + 2);
        int length = u16(offset + 4);
        int start = offset + UDP_BYTES;
        if ((port == VXLAN_PORT || port == VXLAN_PORT_OF_LINUX) && has(start, VXLAN_BYTES)
                && u8(start) == VXLAN_WITH_NUMBER) {
            tunnels.add("VXLAN " + (u16(start + 4) << 8 | u8(start + 6)));
            return ethernet(start + VXLAN_BYTES);
        }
        if (port != RoceV2Packet.UDP_PORT) {
            return OtherFrame.OTHER_PROTOCOL;
        }
        var layers = new FrameLayers(2, vlans, tunnels, ip.source, ip.destination, ip.trafficClass, ip.hopLimit,
                u16(offset));
        long end = limit;
        if (ip.fragment) {
            excess = "the rest is in other IP fragments";
        } else if (length != 0 || limit - offset <= 0xffff) {
            if (length < UDP_BYTES) {
                excess = "UDP claims a length of " + length + " bytes, its header alone has " + UDP_BYTES;
            } else if (offset + length > limit) {
                excess = "UDP claims a length of " + length + " bytes, the IP packet has " + (limit - offset);
            } else {
                end = (long) offset + length;
            }
        }
        return packet(layers, ip.offset, start, end, ip.fragment);
    }

    private DecodedFrame gre(int offset) {
        if (!has(offset, GRE_BYTES)) {
            return OtherFrame.TOO_SHORT;
        }
        int flags = u16(offset);
        boolean sequence = (flags & 0x1000) != 0;
        int next = offset + GRE_BYTES
                + ((flags & 0x8000) != 0 ? 4 : 0) // checksum
                + ((flags & 0x2000) != 0 ? 4 : 0) // key
                + (sequence ? 4 : 0);
        return switch (u16(offset + 2)) {
            case TYPE_IPV4, TYPE_IPV6 -> {
                tunnels.add("GRE");
                yield ip(next);
            }
            case TYPE_BRIDGED_ETHERNET -> {
                tunnels.add("GRE");
                yield ethernet(next);
            }
            case TYPE_ERSPAN -> erspan(next, sequence);
            case TYPE_ERSPAN_3 -> erspan3(next);
            default -> OtherFrame.OTHER_PROTOCOL;
        };
    }

    /// Decodes ERSPAN. Type I has no header, and its GRE header no sequence number; type II has a header of 8 bytes.
    private DecodedFrame erspan(int offset, boolean second) {
        if (!second) {
            tunnels.add("ERSPAN I");
            return ethernet(offset);
        }
        if (!has(offset, 8)) {
            return OtherFrame.TOO_SHORT;
        }
        tunnels.add("ERSPAN II " + (u16(offset + 2) & 0x3ff));
        return ethernet(offset + 8);
    }

    private DecodedFrame erspan3(int offset) {
        if (!has(offset, 12)) {
            return OtherFrame.TOO_SHORT;
        }
        tunnels.add("ERSPAN III " + (u16(offset + 2) & 0x3ff));
        int bits = u16(offset + 10);
        int next = offset + 12 + ((bits & 1) != 0 ? 8 : 0); // a header of the platform
        return switch (bits >>> 10 & 0x1f) {
            case 0 -> ethernet(next);
            case 2 -> ip(next);
            default -> OtherFrame.OTHER_PROTOCOL;
        };
    }

    private DecodedFrame roceV1(int offset) {
        if (!has(offset, IPV6_BYTES)) {
            return OtherFrame.TOO_SHORT;
        }
        if (u8(offset) >>> 4 != 6 || u8(offset + 6) != NEXT_IS_BTH) {
            return OtherFrame.OTHER_PROTOCOL;
        }
        int start = offset + IPV6_BYTES;
        long end = (long) start + u16(offset + 4);
        narrow(end, "the global route header");
        Ip header = ipV6Header(offset, false);
        var layers = new FrameLayers(1, vlans, tunnels, header.source, header.destination, header.trafficClass,
                header.hopLimit, 0);
        return packet(layers, offset, start, end, false);
    }

    /// @param end end of the packet, including the invariant CRC, according to its lengths
    /// @param open whether the end of the packet is unknown
    private DecodedFrame packet(FrameLayers layers, int ipOffset, int start, long end, boolean open) {
        boolean whole = excess.isEmpty() && end <= bytes.length;
        String problem = excess;
        if (whole) {
            try {
                RoceV2Packet packet = RoceV2Packet.parse(bytes, start, (int) end - start);
                int icrc = Icrc.compute(bytes, ipOffset, start, (int) end - RoceV2Packet.ICRC_BYTES);
                return new RoceFrame(frame.number(), frame.nanoseconds(), layers, packet, icrc);
            } catch (DamagedPacketException e) {
                problem = String.valueOf(e.getMessage());
            }
        } else if (frame.isCut() && problem.isEmpty()) {
            problem = bytes.length + " of " + frame.originalLength() + " bytes captured";
        }
        // A complete packet has its invariant CRC after the headers.
        long headersEnd = Math.min(bytes.length, open ? end : end - RoceV2Packet.ICRC_BYTES);
        var buffer = ByteBuffer.wrap(bytes, start, (int) Math.max(0, headersEnd - start));
        PacketStart found = PacketStart.read(buffer);
        OptionalInt payload = OptionalInt.empty();
        if (!found.missing().isEmpty()) {
            problem += ", ends within " + found.missing();
        } else if (!open) {
            long length = end - RoceV2Packet.ICRC_BYTES - buffer.position() - found.bth().orElseThrow().padCount();
            payload = length < 0 || length > Integer.MAX_VALUE ? payload : OptionalInt.of((int) length);
        }
        return new DamagedFrame(frame.number(), frame.nanoseconds(), layers, found, payload, bytes.length, problem);
    }
}
