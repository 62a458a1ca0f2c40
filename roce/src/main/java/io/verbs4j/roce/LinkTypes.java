// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// Names the headers that frames of a capture start with: `LINKTYPE_*` of the capture file format.
public final class LinkTypes {
    /// An Ethernet header.
    public static final int ETHERNET = 1;
    /// An IPv4 or IPv6 header.
    public static final int RAW_IP = 101;
    /// The header of a Linux capture on all interfaces.
    public static final int LINUX_COOKED = 113;

    private LinkTypes() {}
}
