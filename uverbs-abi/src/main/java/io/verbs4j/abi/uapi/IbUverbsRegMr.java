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
            u64("response", "where a write() finds room for the answer; 0 inside an ioctl"),
            u64("start", "address of the first byte"),
            u64("length", "bytes"),
            u64("hca_va", "the address by which work requests call it; same offset in its page"),
            u32("pd_handle"),
            u32("access_flags", "IB_UVERBS_ACCESS_*"));

    private IbUverbsRegMr() {}
}
