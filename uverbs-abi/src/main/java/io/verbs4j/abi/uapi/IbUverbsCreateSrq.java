// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_create_srq` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_CREATE_SRQ`.
/// Written by user space.
public final class IbUverbsCreateSrq {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_srq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle", "its identifier in events"),
            u32("pd_handle"),
            u32("max_wr"),
            u32("max_sge", "buffers of a work request"),
            u32("srq_limit", "0: no limit event"));

    private IbUverbsCreateSrq() {}
}
