// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_req_notify_cq` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_REQ_NOTIFY_CQ`,
/// which has no response. Written by user space.
public final class IbUverbsReqNotifyCq {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_req_notify_cq",
            u32("cq_handle"),
            u32("solicited_only", "0 or 1"));

    private IbUverbsReqNotifyCq() {}
}
