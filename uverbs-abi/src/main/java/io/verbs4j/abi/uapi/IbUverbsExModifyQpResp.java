// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_ex_modify_qp_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsExModifyQp]. Written
/// by the kernel.
public final class IbUverbsExModifyQpResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_modify_qp_resp",
            u32("comp_mask"),
            u32("response_length"));

    private IbUverbsExModifyQpResp() {}
}
