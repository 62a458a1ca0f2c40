// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct ib_uverbs_create_qp` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_CREATE_QP`. Written
/// by user space.
public final class IbUverbsCreateQp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_qp",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle", "its identifier in events"),
            u32("pd_handle"),
            u32("send_cq_handle"),
            u32("recv_cq_handle"),
            u32("srq_handle", "valid only if is_srq"),
            u32("max_send_wr"),
            u32("max_recv_wr"),
            u32("max_send_sge"),
            u32("max_recv_sge"),
            u32("max_inline_data", "bytes"),
            u8("sq_sig_all", "1: every send creates a completion"),
            u8("qp_type", "IB_UVERBS_QPT_*: 2 RC, 3 UC, 4 UD"),
            u8("is_srq", "1: receives come from srq_handle"),
            u8("reserved"));

    private IbUverbsCreateQp() {}
}
