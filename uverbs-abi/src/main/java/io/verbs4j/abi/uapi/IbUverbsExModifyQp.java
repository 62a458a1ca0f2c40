// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_ex_modify_qp` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_EX_CMD_MODIFY_QP`,
/// which accepts a driver-specific part. Written by user space.
public final class IbUverbsExModifyQp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_modify_qp",
            struct("base", IbUverbsModifyQp.STRUCT),
            u32("rate_limit", "kbit/s, with bit 25 of the mask"),
            u32("reserved", "0, otherwise EINVAL"));

    private IbUverbsExModifyQp() {}
}
