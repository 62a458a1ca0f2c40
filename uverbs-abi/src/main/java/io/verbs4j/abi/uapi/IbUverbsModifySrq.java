// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_modify_srq` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_MODIFY_SRQ`, which
/// has no response. Written by user space.
public final class IbUverbsModifySrq {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_modify_srq",
            u32("srq_handle"),
            u32("attr_mask", "1 max_wr, 2 srq_limit"),
            u32("max_wr"),
            u32("srq_limit"));

    private IbUverbsModifySrq() {}
}
