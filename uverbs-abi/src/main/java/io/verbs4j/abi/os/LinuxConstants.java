// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;

/// Arguments of the system calls, with their C names (include/uapi/asm-generic and include/uapi/linux; the same on
/// x86-64, arm64 and riscv64).
final class LinuxConstants {
    static final int O_RDWR = 2;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;

    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_SHARED = 1;
    static final int MAP_PRIVATE = 2;
    static final int MAP_FIXED = 0x10;
    static final int MAP_ANONYMOUS = 0x20;
    static final int MAP_NORESERVE = 0x4000;

    static final int POLLIN = 0x1;
    static final int POLLERR = 0x8;
    static final int POLLHUP = 0x10;
    static final int POLLNVAL = 0x20;

    static final int EFD_CLOEXEC = O_CLOEXEC;
    static final int EFD_NONBLOCK = O_NONBLOCK;

    static final int EPOLL_CLOEXEC = O_CLOEXEC;
    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLL_CTL_DEL = 2;
    static final int EPOLL_CTL_MOD = 3;
    static final int EPOLLIN = POLLIN;

    static final int AF_NETLINK = 16;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_RAW = 3;
    static final int SOCK_CLOEXEC = O_CLOEXEC;
    static final int NETLINK_RDMA = 20;

    static final int AF_PACKET = 17;
    static final int ETH_P_ALL = 3;
    static final int SOL_SOCKET = 1;
    static final int SO_RCVBUF = 8;
    static final int SO_ATTACH_FILTER = 26;
    static final int SO_RCVBUFFORCE = 33;
    static final int SOL_PACKET = 263;
    static final int PACKET_STATISTICS = 6;

    static final int IPPROTO_IP = 0;
    static final int IPPROTO_IPV6 = 41;
    static final int MCAST_JOIN_GROUP = 42;

    /// Makes reads of a file descriptor fail with `EAGAIN` instead of waiting; supported by files of every kind.
    static final int FIONBIO = 0x5421;

    private static final int RDMA_IOCTL_MAGIC = 0x1b;

    /// `_IOWR(RDMA_IOCTL_MAGIC, 1, struct ib_uverbs_ioctl_hdr)`: direction in bits 30 and 31, size in 16 to 29, type in
    /// 8 to 15, number in 0 to 7.
    static final int RDMA_VERBS_IOCTL =
            3 << 30 | IbUverbsIoctlHdr.STRUCT.size() << 16 | RDMA_IOCTL_MAGIC << 8 | 1;

    private LinuxConstants() {}
}
