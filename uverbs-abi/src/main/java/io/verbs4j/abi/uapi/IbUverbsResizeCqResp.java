// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_resize_cq_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsResizeCq]. Written by
/// the kernel.
public final class IbUverbsResizeCqResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_resize_cq_resp",
            u32("cqe", "actual entries"),
            u32("reserved"));

    private IbUverbsResizeCqResp() {}
}
