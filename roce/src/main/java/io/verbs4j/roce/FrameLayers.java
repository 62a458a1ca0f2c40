// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.net.InetAddress;
import java.util.List;

/// The layers of a frame around its base transport header. If a frame has several IP or UDP layers, these are the
/// innermost ones, which contain the RDMA packet.
///
/// @param version RoCE version: 1 (an Ethernet type with a global route header) or 2 (UDP)
/// @param vlans VLAN tags, the outermost first, including those of outer frames
/// @param tunnels tunnels around the frame, the outermost first, such as `VXLAN 42`
/// @param source IP address; for RoCE v1, that of the source GID
/// @param destination IP address; for RoCE v1, that of the destination GID
/// @param trafficClass DSCP and ECN, 8 bits
/// @param hopLimit time to live
/// @param sourcePort UDP source port; 0 for RoCE v1
public record FrameLayers(
        int version,
        List<VlanTag> vlans,
        List<String> tunnels,
        InetAddress source,
        InetAddress destination,
        int trafficClass,
        int hopLimit,
        int sourcePort) {
    private static final int ECN_BITS = 2;

    /// Copies the lists.
    public FrameLayers {
        vlans = List.copyOf(vlans);
        tunnels = List.copyOf(tunnels);
    }

    /// Returns the differentiated services code point.
    public int dscp() {
        return trafficClass >>> ECN_BITS;
    }

    /// Returns the bits of explicit congestion notification: 0 to 3, where 3 is "congestion experienced".
    public int ecn() {
        return trafficClass & 3;
    }
}
