// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// The headers with which captured frames start: `LINKTYPE_*` of the capture file formats.
public final class LinkTypes {
    /// An Ethernet header.
    public static final int ETHERNET = 1;
    /// An IPv4 or IPv6 header.
    public static final int RAW_IP = 101;
    /// The header of a Linux capture on all interfaces, version 1.
    public static final int LINUX_COOKED = 113;
    /// An IPv4 header.
    public static final int IPV4 = 228;
    /// An IPv6 header.
    public static final int IPV6 = 229;
    /// The header of a Linux capture on all interfaces, version 2.
    public static final int LINUX_COOKED_2 = 276;

    private static final int ERF = 197;
    private static final int INFINIBAND = 247;
    private static final int INFINIBAND_PER_PORT = 265;

    private LinkTypes() {}

    /// Returns whether [FrameDecoder] reads frames that start with this header.
    public static boolean isKnown(int linkType) {
        return switch (linkType) {
            case ETHERNET, RAW_IP, LINUX_COOKED, IPV4, IPV6, LINUX_COOKED_2 -> true;
            default -> false;
        };
    }

    /// Returns the reason why frames with this header cannot be read, and the remedy, as a clause.
    ///
    /// @param linkType an unknown link type
    public static String explain(int linkType) {
        return switch (linkType) {
            case ERF ->
                "link type 197 is ERF, in which ibdump writes InfiniBand; only RoCE is read here, Wireshark reads both";
            case INFINIBAND, INFINIBAND_PER_PORT -> "link type " + linkType
                    + " is InfiniBand; only RoCE is read here, Wireshark reads both";
            default -> "link type " + linkType + " is not read here; capture on an Ethernet interface, or on 'any'";
        };
    }
}
