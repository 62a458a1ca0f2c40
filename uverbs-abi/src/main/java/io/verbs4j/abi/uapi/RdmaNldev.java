// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

/// Numbers of RDMA netlink (include/uapi/rdma/rdma_netlink.h). The C names have the prefix `RDMA_NLDEV_`.
public final class RdmaNldev {
    /// Devices; can list all.
    public static final int CMD_GET = 1;
    /// Creates a software device on a network interface; needs `CAP_NET_ADMIN`.
    public static final int CMD_NEWLINK = 3;
    /// Deletes a software device; needs `CAP_NET_ADMIN`.
    public static final int CMD_DELLINK = 4;
    /// Ports of a device; can list all.
    public static final int CMD_PORT_GET = 5;
    /// Commands about the whole subsystem.
    public static final int CMD_SYS_GET = 6;
    /// Queue pairs of a device; can list all, like those that follow.
    public static final int CMD_RES_QP_GET = 10;
    /// Connection identifiers (RDMA CM).
    public static final int CMD_RES_CM_ID_GET = 11;
    /// Completion queues.
    public static final int CMD_RES_CQ_GET = 12;
    /// Memory regions.
    public static final int CMD_RES_MR_GET = 13;
    /// Protection domains.
    public static final int CMD_RES_PD_GET = 14;
    /// The character device of a client, such as uverbs.
    public static final int CMD_GET_CHARDEV = 15;
    /// Contexts: devices that a process has open.
    public static final int CMD_RES_CTX_GET = 22;
    /// Shared receive queues.
    public static final int CMD_RES_SRQ_GET = 23;

    /// u32: number of the device.
    public static final int ATTR_DEV_INDEX = 1;
    /// Text: name of the device.
    public static final int ATTR_DEV_NAME = 2;
    /// u32: number of ports, or number of one port.
    public static final int ATTR_PORT_INDEX = 3;
    /// u8: state of a port ([io.verbs4j.types.PortState]).
    public static final int ATTR_PORT_STATE = 12;
    /// u8: physical state of a port ([io.verbs4j.types.PhysicalState]).
    public static final int ATTR_PORT_PHYS_STATE = 13;
    /// Table of queue pairs.
    public static final int ATTR_RES_QP = 19;
    /// An entry of that table.
    public static final int ATTR_RES_QP_ENTRY = 20;
    /// u32: a queue pair's number.
    public static final int ATTR_RES_LQPN = 21;
    /// u32: number of the peer's queue pair.
    public static final int ATTR_RES_RQPN = 22;
    /// u32: next expected PSN.
    public static final int ATTR_RES_RQ_PSN = 23;
    /// u32: next PSN to send.
    public static final int ATTR_RES_SQ_PSN = 24;
    /// u8: `enum ib_qp_type`, or `enum ib_srq_type`.
    public static final int ATTR_RES_TYPE = 26;
    /// u8: state of a queue pair ([io.verbs4j.types.QueuePairState]).
    public static final int ATTR_RES_STATE = 27;
    /// u32: thread that owns an object, numbered in the caller's namespace; missing if it has ended.
    public static final int ATTR_RES_PID = 28;
    /// Text: part of the kernel that owns an object.
    public static final int ATTR_RES_KERN_NAME = 29;
    /// Table of connection identifiers.
    public static final int ATTR_RES_CM_ID = 30;
    /// An entry of that table.
    public static final int ATTR_RES_CM_ID_ENTRY = 31;
    /// u32: port space, `enum rdma_ucm_port_space`.
    public static final int ATTR_RES_PS = 32;
    /// `struct sockaddr_storage`: a connection identifier's own address.
    public static final int ATTR_RES_SRC_ADDR = 33;
    /// `struct sockaddr_storage`: its peer's address.
    public static final int ATTR_RES_DST_ADDR = 34;
    /// Table of completion queues.
    public static final int ATTR_RES_CQ = 35;
    /// An entry of that table.
    public static final int ATTR_RES_CQ_ENTRY = 36;
    /// u32: capacity of a completion queue.
    public static final int ATTR_RES_CQE = 37;
    /// u64: number of objects that use this one.
    public static final int ATTR_RES_USECNT = 38;
    /// Table of memory regions.
    public static final int ATTR_RES_MR = 40;
    /// An entry of that table.
    public static final int ATTR_RES_MR_ENTRY = 41;
    /// u32: remote key; reported only with `CAP_NET_ADMIN`.
    public static final int ATTR_RES_RKEY = 42;
    /// u32: local key; likewise.
    public static final int ATTR_RES_LKEY = 43;
    /// u64: length of a region in bytes.
    public static final int ATTR_RES_MRLEN = 45;
    /// Table of protection domains.
    public static final int ATTR_RES_PD = 46;
    /// An entry of that table.
    public static final int ATTR_RES_PD_ENTRY = 47;
    /// Text: name of the network interface of a port.
    public static final int ATTR_NDEV_NAME = 51;
    /// u32: number of a protection domain.
    public static final int ATTR_RES_PDN = 60;
    /// u32: number of a completion queue.
    public static final int ATTR_RES_CQN = 61;
    /// u32: number of a memory region.
    public static final int ATTR_RES_MRN = 62;
    /// u32: number of a connection identifier.
    public static final int ATTR_RES_CM_IDN = 63;
    /// u32: number of a context.
    public static final int ATTR_RES_CTXN = 64;
    /// Text: kind of software device, `rxe` or `siw`.
    public static final int ATTR_LINK_TYPE = 65;
    /// u8: 1 if all network namespaces share the devices, 0 if each device belongs to one.
    public static final int SYS_ATTR_NETNS_MODE = 66;
    /// Text: `roce`, `ib`, `iw` …
    public static final int ATTR_DEV_PROTOCOL = 67;
    /// Text: the client whose character device is queried.
    public static final int ATTR_CHARDEV_TYPE = 69;
    /// Text: name of the character device.
    public static final int ATTR_CHARDEV_NAME = 70;
    /// u64: version of the driver's ABI.
    public static final int ATTR_CHARDEV_ABI = 71;
    /// u64: number of the character device, in the kernel's encoding.
    public static final int ATTR_CHARDEV = 72;
    /// u32: the driver ([RdmaDriver]); omitted by drivers that user space must recognize otherwise.
    public static final int ATTR_UVERBS_DRIVER_ID = 73;
    /// u8: 1 if a forked child gets copies of pinned pages at once.
    public static final int SYS_ATTR_COPY_ON_FORK = 93;

    /// Table of contexts.
    public static final int ATTR_RES_CTX = 86;
    /// An entry of that table.
    public static final int ATTR_RES_CTX_ENTRY = 87;
    /// Table of shared receive queues.
    public static final int ATTR_RES_SRQ = 88;
    /// An entry of that table.
    public static final int ATTR_RES_SRQ_ENTRY = 89;
    /// u32: number of a shared receive queue.
    public static final int ATTR_RES_SRQN = 90;

    /// `RDMA_NL_NLDEV`: the family's client to which these commands belong.
    private static final int CLIENT = 5;

    private RdmaNldev() {}

    /// Returns the message type of a command (`RDMA_NL_GET_TYPE`).
    public static int messageType(int command) {
        return CLIENT << 10 | command;
    }
}
