// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_create_cq` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_CREATE_CQ`. Written
/// by user space.
public final class IbUverbsCreateCq {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_cq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle", "its identifier in events"),
            u32("cqe", "requested entries"),
            u32("comp_vector"),
            u32("comp_channel", "signed: file descriptor of the completion channel, -1 for none"),
            u32("reserved"));

    private IbUverbsCreateCq() {}
}
