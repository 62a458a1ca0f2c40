// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_ex_create_cq` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_EX_CMD_CREATE_CQ`,
/// which supports flags. Written by user space.
public final class IbUverbsExCreateCq {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_create_cq",
            u64("user_handle"),
            u32("cqe"),
            u32("comp_vector"),
            u32("comp_channel", "signed: -1 for none"),
            u32("comp_mask", "0"),
            u32("flags", "IB_UVERBS_CQ_FLAGS_*"),
            u32("reserved"));

    private IbUverbsExCreateCq() {}
}
