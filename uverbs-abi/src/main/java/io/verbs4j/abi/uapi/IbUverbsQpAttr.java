// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_qp_attr` (include/uapi/rdma/ib_user_verbs.h): attributes of a queue pair as reported by the
/// connection manager: the response to `RDMA_USER_CM_CMD_INIT_QP_ATTR`. Written by the kernel.
public final class IbUverbsQpAttr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_qp_attr",
            u32("qp_attr_mask", "the valid fields: QueuePairAttribute"),
            u32("qp_state", "0 RESET to 6 ERR"),
            u32("cur_qp_state"),
            u32("path_mtu", "1 to 5"),
            u32("path_mig_state"),
            u32("qkey"),
            u32("rq_psn", "24 bits"),
            u32("sq_psn", "24 bits"),
            u32("dest_qp_num", "24 bits"),
            u32("qp_access_flags", "the peer's rights: IB_UVERBS_ACCESS_*"),
            struct("ah_attr", IbUverbsAhAttr.STRUCT, "path to the peer"),
            struct("alt_ah_attr", IbUverbsAhAttr.STRUCT, "alternate path"),
            u32("max_send_wr"),
            u32("max_recv_wr"),
            u32("max_send_sge"),
            u32("max_recv_sge"),
            u32("max_inline_data"),
            u16("pkey_index"),
            u16("alt_pkey_index"),
            u8("en_sqd_async_notify"),
            u8("sq_draining"),
            u8("max_rd_atomic", "outgoing reads and atomics"),
            u8("max_dest_rd_atomic", "incoming reads and atomics"),
            u8("min_rnr_timer", "the connection manager leaves it at 0, which means 655 ms"),
            u8("port_num", "local port, from 1"),
            u8("timeout", "4.096 µs × 2^n"),
            u8("retry_cnt"),
            u8("rnr_retry"),
            u8("alt_port_num"),
            u8("alt_timeout"),
            bytes("reserved", 5));

    private IbUverbsQpAttr() {}

    private static final int NUMBER_MASK = 0xffffff;

    /// Reads the attributes in the mask, and no others.
    public static QueuePairAttributes read(MemorySegment memory) {
        CView view = STRUCT.view(memory);
        var attributes = QueuePairAttributes.builder();
        AddressVector path = IbUverbsAhAttr.read(view.slice("ah_attr"));
        for (QueuePairAttribute attribute : QueuePairAttribute.of(view.getInt("qp_attr_mask"))) {
            switch (attribute) {
                case STATE -> attributes.state(QueuePairState.of(view.getInt("qp_state")));
                case ACCESS_FLAGS -> attributes.accessFlags(view.getInt("qp_access_flags"));
                case PKEY_INDEX -> attributes.pkeyIndex(view.getInt("pkey_index"));
                case PORT -> attributes.port(view.getInt("port_num"));
                case QKEY -> attributes.qkey(view.getInt("qkey"));
                case ADDRESS_VECTOR -> {
                    if (path != null) {
                        attributes.addressVector(path);
                    }
                }
                case PATH_MTU -> attributes.pathMtu(Mtu.of(view.getInt("path_mtu")));
                case TIMEOUT -> attributes.timeout(view.getInt("timeout") & 0x1f);
                case RETRY_COUNT -> attributes.retryCount(view.getInt("retry_cnt") & 7);
                case RNR_RETRY -> attributes.rnrRetry(view.getInt("rnr_retry") & 7);
                case RECEIVE_PSN -> attributes.receivePsn(view.getInt("rq_psn") & NUMBER_MASK);
                case SEND_PSN -> attributes.sendPsn(view.getInt("sq_psn") & NUMBER_MASK);
                case MAX_READ_ATOMIC -> attributes.maxReadAtomic(view.getInt("max_rd_atomic"));
                case MAX_DESTINATION_READ_ATOMIC ->
                    attributes.maxDestinationReadAtomic(view.getInt("max_dest_rd_atomic"));
                case MIN_RNR_TIMER -> attributes.minRnrTimer(view.getInt("min_rnr_timer") & 0x1f);
                case DESTINATION_QP ->
                    attributes.destinationQueuePairNumber(view.getInt("dest_qp_num") & NUMBER_MASK);
                case PATH_MIGRATION_STATE -> attributes.pathMigrationState(Math.min(view.getInt("path_mig_state"), 2));
                default -> {
                    // The connection manager sets no others: alternate paths belong to InfiniBand's automatic path
                    // migration.
                }
            }
        }
        return attributes.build();
    }
}
