// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_sge` (include/uapi/rdma/ib_user_verbs.h): a buffer in `UVERBS_ATTR_ADVISE_MR_SGE_LIST`. Written by
/// user space.
public final class IbUverbsSge {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_sge",
            u64("addr"),
            u32("length", "bytes"),
            u32("lkey"));

    private IbUverbsSge() {}
}
