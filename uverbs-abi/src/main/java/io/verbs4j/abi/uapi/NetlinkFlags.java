// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

/// Message types and flags of netlink (include/uapi/linux/netlink.h), with their C names.
public final class NetlinkFlags {
    /// An error, or an acknowledgement: `struct nlmsgerr`.
    public static final int NLMSG_ERROR = 2;
    /// The end of a list.
    public static final int NLMSG_DONE = 3;

    /// Marks a request.
    public static final int NLM_F_REQUEST = 0x1;
    /// Requests an acknowledgement.
    public static final int NLM_F_ACK = 0x4;
    /// Requests all objects.
    public static final int NLM_F_DUMP = 0x300;

    /// Mask without the flags in an attribute's type: nested, and network order.
    public static final int NLA_TYPE_MASK = 0x3fff;

    private NetlinkFlags() {}
}
