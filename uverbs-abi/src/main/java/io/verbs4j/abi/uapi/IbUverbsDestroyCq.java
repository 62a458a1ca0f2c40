// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_destroy_cq` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_DESTROY_CQ`.
/// Written by user space.
public final class IbUverbsDestroyCq {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_cq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("cq_handle"),
            u32("reserved"));

    private IbUverbsDestroyCq() {}
}
