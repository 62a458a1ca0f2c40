// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_rereg_mr` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_REREG_MR`. Written by
/// user space.
public final class IbUverbsReregMr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_rereg_mr",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("mr_handle"),
            u32("flags", "the changes: 1 translation, 2 protection domain, 4 access"),
            u64("start"),
            u64("length"),
            u64("hca_va"),
            u32("pd_handle"),
            u32("access_flags"));

    private IbUverbsReregMr() {}
}
