// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_destroy_srq_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsDestroySrq] and of
/// `UVERBS_METHOD_SRQ_DESTROY`. Written by the kernel.
public final class IbUverbsDestroySrqResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_destroy_srq_resp",
            u32("events_reported", "asynchronous events of the queue that were read"));

    private IbUverbsDestroySrqResp() {}
}
