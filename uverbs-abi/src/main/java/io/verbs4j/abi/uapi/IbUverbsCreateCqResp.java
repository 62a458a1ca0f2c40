// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_create_cq_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsCreateCq]. Written by
/// the kernel.
public final class IbUverbsCreateCqResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_cq_resp",
            u32("cq_handle"),
            u32("cqe", "actual entries"));

    private IbUverbsCreateCqResp() {}
}
