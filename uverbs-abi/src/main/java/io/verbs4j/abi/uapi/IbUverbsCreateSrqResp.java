// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_create_srq_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsCreateSrq]. Written by
/// the kernel.
public final class IbUverbsCreateSrqResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_srq_resp",
            u32("srq_handle"),
            u32("max_wr"),
            u32("max_sge", "buffers of a work request"),
            u32("srqn", "meant for XRC; drivers return the number elsewhere"));

    private IbUverbsCreateSrqResp() {}
}
