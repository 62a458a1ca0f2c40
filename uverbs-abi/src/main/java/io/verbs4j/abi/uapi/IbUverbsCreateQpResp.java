// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_create_qp_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsCreateQp]. Written by
/// the kernel.
public final class IbUverbsCreateQpResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_qp_resp",
            u32("qp_handle"),
            u32("qpn", "24 bits"),
            u32("max_send_wr"),
            u32("max_recv_wr"),
            u32("max_send_sge"),
            u32("max_recv_sge"),
            u32("max_inline_data", "bytes"),
            u32("reserved"));

    private IbUverbsCreateQpResp() {}
}
