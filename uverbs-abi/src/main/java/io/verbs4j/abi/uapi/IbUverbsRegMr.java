// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_reg_mr` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_REG_MR`. Written by
/// user space.
public final class IbUverbsRegMr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_reg_mr",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("start", "address of the first byte"),
            u64("length", "bytes"),
            u64("hca_va", "its address in work requests; same offset within a page"),
            u32("pd_handle"),
            u32("access_flags", "IB_UVERBS_ACCESS_*"));

    private IbUverbsRegMr() {}
}
