// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_alloc_pd_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsAllocPd]. Written by the
/// kernel.
public final class IbUverbsAllocPdResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_alloc_pd_resp",
            u32("pd_handle", "0 is a valid handle"));

    private IbUverbsAllocPdResp() {}
}
