// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The first 40 bytes of a received datagram's buffer, which contain the addresses of sender and receiver
/// (`struct ibv_grh`; IBA vol. 1, 8.3).
///
/// On RoCE v2, these bytes are the packet's IPv6 header, or 20 undefined bytes followed by the packet's IPv4 header
/// (annex A17). Between two queue pairs of one device, an IPv4 header may have no checksum.
///
/// @param sourceGid the sender
/// @param destinationGid the receiver, or the multicast group
/// @param flowLabel 20 bits; 0 for IPv4
/// @param trafficClass traffic class (IPv6) or type of service (IPv4)
/// @param hopLimit remaining hops
/// @param overUdp true for RoCE v2, false for RoCE v1 and InfiniBand
public record GlobalRouteHeader(
        Gid sourceGid, Gid destinationGid, int flowLabel, int trafficClass, int hopLimit, boolean overUdp) {
    /// Bytes in front of a datagram's payload.
    public static final int BYTES = 40;

    private static final int NEXT_HEADER_OFFSET = 6;
    private static final int HOP_LIMIT_OFFSET = 7;
    private static final int IPV4_OFFSET = 20;
    private static final int IPV4_TIME_TO_LIVE_OFFSET = IPV4_OFFSET + 8;
    private static final int IPV4_VERSION_AND_LENGTH = 0x45;
    private static final int UDP = 17;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// Reads the header in front of a received datagram.
    ///
    /// @param completion the successful completion of the receive
    /// @param buffer the receive buffer
    /// @param offset index of the first byte of the receive in the buffer
    /// @throws IllegalStateException if the completion reports a failure or no header. On InfiniBand, the completion of
    ///     a datagram without a header contains only the sender's LID
    /// @throws IllegalArgumentException if there is neither an IPv6 nor an IPv4 header
    public static GlobalRouteHeader read(CompletionRecord completion, MemorySegment buffer, long offset) {
        if (!completion.isSuccess() || !completion.hasGlobalRouteHeader()) {
            throw new IllegalStateException("no global route header came with " + completion
                    + ": only datagrams that were received have one");
        }
        return read(buffer, offset);
    }

    /// Reads the header in front of a received datagram.
    ///
    /// The 20 bytes in front of an IPv4 header are undefined and may look like the start of an IPv6 header. If both
    /// interpretations are possible, the header is IPv4 if the IPv4 checksum is correct, and otherwise IPv6, as in
    /// `ibv_init_ah_from_wc`.
    ///
    /// @param buffer the receive buffer
    /// @param offset index of the first byte of the receive in the buffer
    /// @throws IllegalArgumentException if there is neither an IPv6 nor an IPv4 header
    public static GlobalRouteHeader read(MemorySegment buffer, long offset) {
        MemorySegment header = buffer.asSlice(offset, BYTES);
        int first = header.get(INT, 0);
        boolean ipv6 = first >>> 28 == 6;
        boolean ipv4 = (header.get(BYTE, IPV4_OFFSET) & 0xff) == IPV4_VERSION_AND_LENGTH;
        if (ipv4 && (!ipv6 || hasIpv4Checksum(header))) {
            return new GlobalRouteHeader(
                    mapped(header.get(INT, IPV4_OFFSET + 12)),
                    mapped(header.get(INT, IPV4_OFFSET + 16)),
                    0,
                    header.get(BYTE, IPV4_OFFSET + 1) & 0xff,
                    header.get(BYTE, IPV4_TIME_TO_LIVE_OFFSET) & 0xff,
                    true);
        }
        if (ipv6) {
            return new GlobalRouteHeader(
                    new Gid(header.get(LONG, 8), header.get(LONG, 16)),
                    new Gid(header.get(LONG, 24), header.get(LONG, 32)),
                    first & 0xfffff,
                    first >>> 20 & 0xff,
                    header.get(BYTE, HOP_LIMIT_OFFSET) & 0xff,
                    header.get(BYTE, NEXT_HEADER_OFFSET) == UDP);
        }
        throw new IllegalArgumentException("no IPv6 or IPv4 header at offset=" + offset + " of the receive buffer");
    }

    /// Returns whether the ones' complement sum of the header's words, checksum included, is all ones (RFC 791).
    private static boolean hasIpv4Checksum(MemorySegment header) {
        int sum = 0;
        for (int at = IPV4_OFFSET; at < BYTES; at += Short.BYTES) {
            sum += header.get(SHORT, at) & 0xffff;
        }
        return (sum & 0xffff) + (sum >>> 16) == 0xffff;
    }

    private static Gid mapped(int ipv4Address) {
        return new Gid(0, 0xffff_0000_0000L | (ipv4Address & 0xffff_ffffL));
    }

    /// Returns the path back to the sender, with service level 0 and hop limit 64. The hop limit is not that of the
    /// received header, whose remaining hops may be too few for the way back. The path's source is the GID to which the
    /// datagram was sent. For a datagram to a multicast group, the source is one of this end's GIDs of the same address
    /// family.
    ///
    /// @param port the port on which the datagram arrived
    /// @throws IllegalStateException if this end has no suitable GID
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_ah_from_wc.3.html">ibv_init_ah_from_wc(3)</a>
    public AddressVector replyPath(Context context, int port) {
        GidEntry own = context.gids(port)
                .stream()
                .filter(entry -> entry.type().equals(GidType.ROCE_V2) == overUdp)
                .filter(entry -> destinationGid.isMulticast()
                        ? entry.gid().isIpv4Mapped() == sourceGid.isIpv4Mapped()
                                && entry.gid().isLinkLocal() == sourceGid.isLinkLocal()
                        : entry.gid().equals(destinationGid))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "port " + port + " of " + context.device().name() + " has no GID to reply to " + this
                                + " from"));
        return AddressVector.roce(port, own.index(), sourceGid)
                .withFlowLabel(flowLabel)
                .withTrafficClass(trafficClass);
    }
}
