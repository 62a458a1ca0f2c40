// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_reg_mr_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsRegMr]. Written by the
/// kernel.
public final class IbUverbsRegMrResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_reg_mr_resp",
            u32("mr_handle"),
            u32("lkey"),
            u32("rkey"));

    private IbUverbsRegMrResp() {}
}
