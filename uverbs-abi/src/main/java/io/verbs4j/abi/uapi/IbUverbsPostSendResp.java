// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_post_send_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsPostSend]. Written by
/// the kernel.
public final class IbUverbsPostSendResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_post_send_resp",
            u32("bad_wr", "number of work requests from the first bad one on"));

    private IbUverbsPostSendResp() {}
}
