// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PrivateData;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct rdma_ucm_conn_param` (include/uapi/rdma/rdma_user_cm.h): parameters of a connection. Written by user space
/// and by the kernel.
public final class RdmaUcmConnParam {
    /// `struct rdma_ucm_ece`.
    public static final CStruct ECE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_ece",
            u32("vendor_id"),
            u32("attr_mod"));

    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_conn_param",
            u32("qp_num", "24 bits"),
            u32("qkey", "for datagrams"),
            bytes("private_data", 256, "sent to the peer"),
            u8("private_data_len"),
            u8("srq", "1: the queue pair has a shared receive queue"),
            u8("responder_resources", "incoming reads and atomics"),
            u8("initiator_depth", "outgoing reads and atomics"),
            u8("flow_control"),
            u8("retry_count", "0 to 7"),
            u8("rnr_retry_count", "0 to 7; 7: indefinitely"),
            u8("valid", "1: the other fields are valid"));

    private RdmaUcmConnParam() {}

    private static final int QP_NUMBER_MASK = 0xffffff;
    private static final int RETRY_MASK = 7;

    /// Writes parameters, and marks them as valid.
    public static void write(MemorySegment memory, ConnectionParameters parameters) {
        byte[] data = parameters.privateData().bytes();
        CView view = STRUCT.zeroed(memory)
                .set("qp_num", parameters.queuePairNumber())
                .set("private_data_len", data.length)
                .set("srq", parameters.sharedReceiveQueue() ? 1 : 0)
                .set("responder_resources", parameters.responderResources())
                .set("initiator_depth", parameters.initiatorDepth())
                .set("flow_control", parameters.flowControl() ? 1 : 0)
                .set("retry_count", parameters.retryCount())
                .set("rnr_retry_count", parameters.rnrRetry())
                .set("valid", 1);
        MemorySegment.copy(data, 0, view.slice("private_data"), ValueLayout.JAVA_BYTE, 0, data.length);
    }

    /// Reads parameters. A peer's values are always in range.
    public static ConnectionParameters read(MemorySegment memory) {
        CView view = STRUCT.view(memory);
        return new ConnectionParameters(
                view.getInt("qp_num") & QP_NUMBER_MASK,
                PrivateData.of(view.slice("private_data")
                        .asSlice(0, view.getInt("private_data_len"))
                        .toArray(ValueLayout.JAVA_BYTE)),
                view.getInt("responder_resources"),
                view.getInt("initiator_depth"),
                view.getInt("flow_control") != 0,
                view.getInt("retry_count") & RETRY_MASK,
                view.getInt("rnr_retry_count") & RETRY_MASK,
                view.getInt("srq") != 0);
    }
}
