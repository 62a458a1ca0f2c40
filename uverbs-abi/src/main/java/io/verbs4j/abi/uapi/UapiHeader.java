// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

/// The headers on which this package is based, by their paths in the kernel's sources.
final class UapiHeader {
    static final String RDMA_USER_IOCTL_CMDS = "include/uapi/rdma/rdma_user_ioctl_cmds.h";
    static final String IB_USER_VERBS = "include/uapi/rdma/ib_user_verbs.h";
    static final String IB_USER_IOCTL_VERBS = "include/uapi/rdma/ib_user_ioctl_verbs.h";
    static final String RDMA_USER_CM = "include/uapi/rdma/rdma_user_cm.h";
    static final String IB_USER_SA = "include/uapi/rdma/ib_user_sa.h";
    static final String IN = "include/uapi/linux/in.h";
    static final String IN6 = "include/uapi/linux/in6.h";
    static final String NETLINK = "include/uapi/linux/netlink.h";
    static final String IF_PACKET = "include/uapi/linux/if_packet.h";
    static final String FILTER = "include/uapi/linux/filter.h";
    static final String POLL = "include/uapi/asm-generic/poll.h";
    static final String TIME_TYPES = "include/uapi/linux/time_types.h";

    private UapiHeader() {}
}
