// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

/// Numbers of RDMA netlink (include/uapi/rdma/rdma_netlink.h). The C names are these with `RDMA_NLDEV_` in front.
public final class RdmaNldev {
    /// Devices; can list all.
    public static final int CMD_GET = 1;
    /// The character device of a client, such as uverbs.
    public static final int CMD_GET_CHARDEV = 15;

    /// u32: number of the device.
    public static final int ATTR_DEV_INDEX = 1;
    /// Text: name of the device.
    public static final int ATTR_DEV_NAME = 2;
    /// u32: number of ports, or number of one port.
    public static final int ATTR_PORT_INDEX = 3;
    /// u64, in host order unlike elsewhere: GUID of the device.
    public static final int ATTR_NODE_GUID = 6;
    /// Text: `roce`, `ib`, `iw` …
    public static final int ATTR_DEV_PROTOCOL = 67;
    /// Text: which client's character device is asked for.
    public static final int ATTR_CHARDEV_TYPE = 69;
    /// Text: name of the character device.
    public static final int ATTR_CHARDEV_NAME = 70;
    /// u64: version of the driver's ABI.
    public static final int ATTR_CHARDEV_ABI = 71;
    /// u64: number of the character device, in the kernel's encoding.
    public static final int ATTR_CHARDEV = 72;
    /// u32: the driver ([RdmaDriver]); left out by drivers that user space must recognize otherwise.
    public static final int ATTR_UVERBS_DRIVER_ID = 73;

    /// `RDMA_NL_NLDEV`: the family's client that these commands belong to.
    private static final int CLIENT = 5;

    private RdmaNldev() {}

    /// The message type of a command (`RDMA_NL_GET_TYPE`).
    public static int messageType(int command) {
        return CLIENT << 10 | command;
    }
}
