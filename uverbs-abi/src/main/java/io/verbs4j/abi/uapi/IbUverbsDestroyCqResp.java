// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_destroy_cq_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsDestroyCq] and of
/// `UVERBS_METHOD_CQ_DESTROY`. Written by the kernel.
public final class IbUverbsDestroyCqResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_cq_resp",
            u32("comp_events_reported", "events of the queue that were read from its channel"),
            u32("async_events_reported", "events of the queue that were read from the asynchronous events"));

    private IbUverbsDestroyCqResp() {}
}
