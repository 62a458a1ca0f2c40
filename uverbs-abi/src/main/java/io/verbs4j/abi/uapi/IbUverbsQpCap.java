// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.types.QueuePairCapabilities;

/// `struct ib_uverbs_qp_cap` (include/uapi/rdma/ib_user_ioctl_verbs.h): the capacities of a queue pair, argument and
/// response of `UVERBS_METHOD_QP_CREATE`. The structs of the write commands have fields of the same names.
public final class IbUverbsQpCap {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_IOCTL_VERBS,
            "ib_uverbs_qp_cap",
            u32("max_send_wr"),
            u32("max_recv_wr"),
            u32("max_send_sge"),
            u32("max_recv_sge"),
            u32("max_inline_data", "bytes"));

    private IbUverbsQpCap() {}

    /// Writes the five fields, in this struct or another struct with the same fields.
    public static CView write(CView view, QueuePairCapabilities capabilities) {
        return view.set("max_send_wr", capabilities.maxSendWorkRequests())
                .set("max_recv_wr", capabilities.maxReceiveWorkRequests())
                .set("max_send_sge", capabilities.maxSendScatterGather())
                .set("max_recv_sge", capabilities.maxReceiveScatterGather())
                .set("max_inline_data", capabilities.maxInlineData());
    }

    /// Reads the five fields, from this struct or another struct with the same fields.
    public static QueuePairCapabilities read(CView view) {
        return new QueuePairCapabilities(
                view.getInt("max_send_wr"),
                view.getInt("max_recv_wr"),
                view.getInt("max_send_sge"),
                view.getInt("max_recv_sge"),
                view.getInt("max_inline_data"));
    }
}
