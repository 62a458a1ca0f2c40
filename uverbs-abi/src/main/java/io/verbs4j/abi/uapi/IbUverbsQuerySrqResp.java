// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_query_srq_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsQuerySrq]. Written by
/// the kernel.
public final class IbUverbsQuerySrqResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_srq_resp",
            u32("max_wr", "receives that the ring can hold"),
            u32("max_sge", "buffers of a work request"),
            u32("srq_limit", "0 once the event was raised"),
            u32("reserved"));

    private IbUverbsQuerySrqResp() {}
}
