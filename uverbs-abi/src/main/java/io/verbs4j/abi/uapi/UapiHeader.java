// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

/// The headers of the described structs, by their paths in the kernel's sources.
public final class UapiHeader {
    static final String RDMA_USER_IOCTL_CMDS = "include/uapi/rdma/rdma_user_ioctl_cmds.h";
    /// Structs of write commands.
    public static final String IB_USER_VERBS = "include/uapi/rdma/ib_user_verbs.h";
    /// Structs of ioctl commands.
    public static final String IB_USER_IOCTL_VERBS = "include/uapi/rdma/ib_user_ioctl_verbs.h";
    /// Structs of the connection manager.
    public static final String RDMA_USER_CM = "include/uapi/rdma/rdma_user_cm.h";
    /// Structs of paths.
    public static final String IB_USER_SA = "include/uapi/rdma/ib_user_sa.h";
    static final String IN = "include/uapi/linux/in.h";
    static final String IN6 = "include/uapi/linux/in6.h";
    static final String NETLINK = "include/uapi/linux/netlink.h";
    static final String IF_PACKET = "include/uapi/linux/if_packet.h";
    static final String FILTER = "include/uapi/linux/filter.h";
    static final String POLL = "include/uapi/asm-generic/poll.h";
    static final String TIME_TYPES = "include/uapi/linux/time_types.h";

    private UapiHeader() {}
}
