// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_ioctl_hdr` (include/uapi/rdma/rdma_user_ioctl_cmds.h): the header of every ioctl command, followed
/// by `num_attrs` times [IbUverbsAttr]. Written by user space.
public final class IbUverbsIoctlHdr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_IOCTL_CMDS,
            "ib_uverbs_ioctl_hdr",
            u16("length", "bytes of header and attributes, at most 4096"),
            u16("object_id", "the kind of object: UverbsObject"),
            u16("method_id", "the method of the object: UverbsMethod"),
            u16("num_attrs", "attributes that follow"),
            u64("reserved1", "0, otherwise EPROTONOSUPPORT"),
            u32("driver_id", "the device's RdmaDriver, otherwise EINVAL"),
            u32("reserved2", "0, otherwise EPROTONOSUPPORT"));

    private IbUverbsIoctlHdr() {}
}
