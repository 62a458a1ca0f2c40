// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_get_context_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsGetContext]. Written
/// by the kernel.
public final class IbUverbsGetContextResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_get_context_resp",
            u32("async_fd", "file descriptor of the asynchronous events"),
            u32("num_comp_vectors", "completion vectors of the device"));

    private IbUverbsGetContextResp() {}
}
