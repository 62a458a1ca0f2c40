// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The first 40 bytes of a received datagram's buffer: who sent it, and to whom (`struct ibv_grh`; IBA vol. 1, 8.3).
///
/// On RoCE v2 it is the packet's IPv6 header, or 20 bytes of nothing and the packet's IPv4 header (annex A17).
///
/// @param sourceGid the sender
/// @param destinationGid the receiver, or the multicast group
/// @param flowLabel 20 bits; 0 for IPv4
/// @param trafficClass traffic class, or type of service
/// @param hopLimit hops that were left
public record GlobalRouteHeader(Gid sourceGid, Gid destinationGid, int flowLabel, int trafficClass, int hopLimit) {
    /// Bytes in front of a datagram's payload.
    public static final int BYTES = 40;

    private static final int IPV4_OFFSET = 20;
    private static final int IPV4_VERSION_AND_LENGTH = 0x45;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// Reads the header in front of a received datagram.
    ///
    /// @param buffer the receive buffer
    /// @param offset where the receive started in it
    /// @throws IllegalArgumentException if there is neither an IPv6 nor an IPv4 header
    public static GlobalRouteHeader read(MemorySegment buffer, long offset) {
        MemorySegment header = buffer.asSlice(offset, BYTES);
        int first = header.get(INT, 0);
        if (first >>> 28 == 6) {
            return new GlobalRouteHeader(
                    new Gid(header.get(LONG, 8), header.get(LONG, 16)),
                    new Gid(header.get(LONG, 24), header.get(LONG, 32)),
                    first & 0xfffff,
                    first >>> 20 & 0xff,
                    header.get(ValueLayout.JAVA_BYTE, 7) & 0xff);
        }
        int ipv4 = header.get(INT, IPV4_OFFSET);
        if (ipv4 >>> 24 == IPV4_VERSION_AND_LENGTH) {
            return new GlobalRouteHeader(
                    mapped(header.get(INT, IPV4_OFFSET + 12)),
                    mapped(header.get(INT, IPV4_OFFSET + 16)),
                    0,
                    ipv4 >>> 16 & 0xff,
                    header.get(ValueLayout.JAVA_BYTE, IPV4_OFFSET + 8) & 0xff);
        }
        throw new IllegalArgumentException("no IPv6 or IPv4 header at offset=" + offset + " of the receive buffer");
    }

    private static Gid mapped(int ipv4Address) {
        return new Gid(0, 0xffff_0000_0000L | (ipv4Address & 0xffff_ffffL));
    }

    /// The path back to the sender: from the entry of ours that it was sent to, or of the same address family if it was sent
    /// to a group.
    ///
    /// @param port the port that it arrived on
    /// @throws IllegalStateException if no entry of ours fits
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_ah_from_wc.3.html">ibv_init_ah_from_wc(3)</a>
    public AddressVector replyPath(Context context, int port) {
        GidEntry own = context.gids(port)
                .stream()
                .filter(entry -> destinationGid.isMulticast()
                        ? entry.gid().isIpv4Mapped() == sourceGid.isIpv4Mapped()
                                && entry.gid().isLinkLocal() == sourceGid.isLinkLocal()
                        : entry.gid().equals(destinationGid))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "port " + port + " of " + context.device().name() + " has no GID to answer " + this + " from"));
        return AddressVector.roce(port, own.index(), sourceGid)
                .withFlowLabel(flowLabel)
                .withTrafficClass(trafficClass);
    }
}
