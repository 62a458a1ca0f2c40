// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.be32;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.hole;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// The structs of sockets, netlink and polling, which are not specific to RDMA.
public final class LinuxStructs {
    /// `struct group_req`.
    public static final CStruct GROUP_REQ = CStruct.of(
            UapiHeader.IN,
            "group_req",
            u32("gr_interface", "the network interface"),
            hole(4),
            bytes("gr_group", 128, "struct sockaddr_in or sockaddr_in6"));
    /// `struct __kernel_timespec`.
    public static final CStruct KERNEL_TIMESPEC = CStruct.of(
            UapiHeader.TIME_TYPES,
            "__kernel_timespec",
            u64("tv_sec"),
            u64("tv_nsec", "below 1000000000"));
    /// `struct nlattr`.
    public static final CStruct NLATTR = CStruct.of(
            UapiHeader.NETLINK,
            "nlattr",
            u16("nla_len", "bytes of header and payload, without the padding after it"),
            u16("nla_type", "the attribute"));
    /// `struct nlmsghdr`.
    public static final CStruct NLMSGHDR = CStruct.of(
            UapiHeader.NETLINK,
            "nlmsghdr",
            u32("nlmsg_len", "bytes of header and payload"),
            u16("nlmsg_type", "the command, or NLMSG_ERROR 2, NLMSG_DONE 3"),
            u16("nlmsg_flags", "NLM_F_*"),
            u32("nlmsg_seq", "repeated in the responses"),
            u32("nlmsg_pid", "0 to the kernel"));
    /// `struct nlmsgerr`.
    public static final CStruct NLMSGERR = CStruct.of(
            UapiHeader.NETLINK,
            "nlmsgerr",
            u32("error", "negated error number, 0 for success"),
            struct("msg", NLMSGHDR, "header of the failed message"));
    /// `struct pollfd`.
    public static final CStruct POLLFD = CStruct.of(
            UapiHeader.POLL,
            "pollfd",
            u32("fd"),
            u16("events", "requested events"),
            u16("revents", "events reported by the kernel"));
    /// `struct sockaddr_in`.
    public static final CStruct SOCKADDR_IN = CStruct.of(
            UapiHeader.IN,
            "sockaddr_in",
            u16("sin_family", "AF_INET"),
            be16("sin_port", "in network order"),
            bytes("sin_addr", 4, "in network order"),
            bytes("__pad", 8));
    /// `struct sockaddr_in6`.
    public static final CStruct SOCKADDR_IN6 = CStruct.of(
            UapiHeader.IN6,
            "sockaddr_in6",
            u16("sin6_family", "AF_INET6"),
            be16("sin6_port", "in network order"),
            be32("sin6_flowinfo", "in network order"),
            bytes("sin6_addr", 16, "in network order"),
            u32("sin6_scope_id", "index of the network interface, for link-local addresses"));
    /// `struct sockaddr_ll`.
    public static final CStruct SOCKADDR_LL = CStruct.of(
            UapiHeader.IF_PACKET,
            "sockaddr_ll",
            u16("sll_family", "AF_PACKET"),
            be16("sll_protocol", "protocol of the frames: ETH_P_ALL for both directions"),
            u32("sll_ifindex", "the network interface"),
            u16("sll_hatype"),
            u8("sll_pkttype"),
            u8("sll_halen"),
            bytes("sll_addr", 8));
    /// `struct sock_filter`.
    public static final CStruct SOCK_FILTER = CStruct.of(
            UapiHeader.FILTER,
            "sock_filter",
            u16("code"),
            u8("jt", "instructions to skip if true"),
            u8("jf", "instructions to skip if false"),
            u32("k"));
    /// `struct sock_fprog`.
    public static final CStruct SOCK_FPROG = CStruct.of(
            UapiHeader.FILTER, "sock_fprog", u16("len", "instructions"), hole(6),
            u64("filter", "address of the first instruction"));
    /// `struct tpacket_stats`.
    public static final CStruct TPACKET_STATS = CStruct.of(
            UapiHeader.IF_PACKET,
            "tpacket_stats",
            u32("tp_packets", "frames that passed the filter"),
            u32("tp_drops", "dropped ones, because the buffer was full"));

    private LinuxStructs() {}
}
