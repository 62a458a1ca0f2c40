// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_ex_create_cq_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsExCreateCq]. Written
/// by the kernel.
public final class IbUverbsExCreateCqResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_create_cq_resp",
            struct("base", IbUverbsCreateCqResp.STRUCT),
            u32("comp_mask"),
            u32("response_length"));

    private IbUverbsExCreateCqResp() {}
}
