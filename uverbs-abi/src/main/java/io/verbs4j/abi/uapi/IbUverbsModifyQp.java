// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_modify_qp` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_MODIFY_QP`, and the
/// first part of `struct ib_uverbs_ex_modify_qp`. The command has no response. Written by user space.
public final class IbUverbsModifyQp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_modify_qp",
            struct("dest", IbUverbsQpDest.STRUCT, "path to the peer"),
            struct("alt_dest", IbUverbsQpDest.STRUCT, "alternate path; refused on RoCE"),
            u32("qp_handle"),
            u32("attr_mask", "the valid fields: QueuePairAttribute"),
            u32("qkey", "of a datagram queue pair"),
            u32("rq_psn", "24 bits"),
            u32("sq_psn", "24 bits"),
            u32("dest_qp_num", "24 bits"),
            u32("qp_access_flags", "the peer's rights: IB_UVERBS_ACCESS_*"),
            u16("pkey_index"),
            u16("alt_pkey_index"),
            u8("qp_state", "0 RESET to 6 ERR"),
            u8("cur_qp_state", "the state that the caller assumes"),
            u8("path_mtu", "1 to 5"),
            u8("path_mig_state", "0 migrated, 1 rearm, 2 armed"),
            u8("en_sqd_async_notify", "1: an event when the send queue is drained"),
            u8("max_rd_atomic", "outgoing reads and atomics"),
            u8("max_dest_rd_atomic", "incoming reads and atomics"),
            u8("min_rnr_timer", "code 0 to 31"),
            u8("port_num", "local port, from 1"),
            u8("timeout", "4.096 µs × 2^n"),
            u8("retry_cnt", "0 to 7"),
            u8("rnr_retry", "0 to 7; 7: indefinitely"),
            u8("alt_port_num"),
            u8("alt_timeout"),
            bytes("reserved", 2));

    private IbUverbsModifyQp() {}

    /// Writes a request. Attributes that are not in the mask are written as zeros.
    public static void write(MemorySegment memory, int handle, QueuePairAttributes attributes) {
        Mtu mtu = attributes.pathMtu();
        AddressVector path = attributes.addressVector();
        AddressVector alternate = attributes.alternatePath();
        CView view = STRUCT.zeroed(memory)
                .set("qp_handle", handle)
                .set("attr_mask", attributes.mask())
                .set("qkey", attributes.qkey())
                .set("rq_psn", attributes.receivePsn())
                .set("sq_psn", attributes.sendPsn())
                .set("dest_qp_num", attributes.destinationQueuePairNumber())
                .set("qp_access_flags", attributes.accessFlags())
                .set("pkey_index", attributes.pkeyIndex())
                .set("qp_state", attributes.state().value())
                .set("cur_qp_state", attributes.currentState().value())
                .set("path_mtu", mtu == null ? 0 : mtu.value())
                .set("path_mig_state", attributes.pathMigrationState())
                .set("en_sqd_async_notify", attributes.sqdAsyncNotify() ? 1 : 0)
                .set("max_rd_atomic", attributes.maxReadAtomic())
                .set("max_dest_rd_atomic", attributes.maxDestinationReadAtomic())
                .set("min_rnr_timer", attributes.minRnrTimer())
                .set("port_num", attributes.port())
                .set("timeout", attributes.timeout())
                .set("retry_cnt", attributes.retryCount())
                .set("rnr_retry", attributes.rnrRetry());
        if (path != null) {
            IbUverbsQpDest.write(view.slice("dest"), path);
        }
        if (alternate != null) {
            IbUverbsQpDest.write(view.slice("alt_dest"), alternate);
            view.set("alt_port_num", alternate.port());
        }
    }
}
