// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct nlmsghdr` (include/uapi/linux/netlink.h): the header of every netlink message. Written by the sender.
public final class Nlmsghdr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.NETLINK,
            "nlmsghdr",
            u32("nlmsg_len", "bytes of header and payload"),
            u16("nlmsg_type", "the command, or NLMSG_ERROR 2, NLMSG_DONE 3"),
            u16("nlmsg_flags", "NLM_F_*"),
            u32("nlmsg_seq", "repeated in the responses"),
            u32("nlmsg_pid", "0 to the kernel"));

    private Nlmsghdr() {}
}
