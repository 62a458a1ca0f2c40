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
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_query_qp_resp` (include/uapi/rdma/ib_user_verbs.h): response to `struct ib_uverbs_query_qp`.
/// Written by the kernel.
public final class IbUverbsQueryQpResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_qp_resp",
            struct("dest", IbUverbsQpDest.STRUCT, "path to the peer"),
            struct("alt_dest", IbUverbsQpDest.STRUCT, "alternate path; refused on RoCE"),
            u32("max_send_wr"),
            u32("max_recv_wr"),
            u32("max_send_sge"),
            u32("max_recv_sge"),
            u32("max_inline_data", "bytes"),
            u32("qkey", "of a datagram queue pair"),
            u32("rq_psn", "live"),
            u32("sq_psn", "live"),
            u32("dest_qp_num", "24 bits"),
            u32("qp_access_flags", "the peer's rights: IB_UVERBS_ACCESS_*"),
            u16("pkey_index"),
            u16("alt_pkey_index"),
            u8("qp_state", "the present state"),
            u8("cur_qp_state", "stale on 6.1: always 0"),
            u8("path_mtu", "1 to 5"),
            u8("path_mig_state", "0 migrated, 1 rearm, 2 armed"),
            u8("sq_draining", "1: in the transition to SQD"),
            u8("max_rd_atomic", "outgoing reads and atomics"),
            u8("max_dest_rd_atomic", "incoming reads and atomics"),
            u8("min_rnr_timer", "code 0 to 31"),
            u8("port_num", "local port, from 1"),
            u8("timeout", "4.096 µs × 2^n"),
            u8("retry_cnt", "0 to 7"),
            u8("rnr_retry", "0 to 7; 7: indefinitely"),
            u8("alt_port_num"),
            u8("alt_timeout"),
            u8("sq_sig_all", "as created"),
            bytes("reserved", 5));

    private static final int PSN_MASK = 0xffffff;

    private IbUverbsQueryQpResp() {}

    /// Reads the attributes. The mask contains all that the kernel reported. A path or an MTU that was never set is
    /// omitted. The state is `qp_state`, because `cur_qp_state` is stale on some kernels.
    public static QueuePairAttributes read(MemorySegment memory) {
        CView view = STRUCT.view(memory);
        QueuePairState state = QueuePairState.of(view.getInt("qp_state"));
        var attributes = QueuePairAttributes.builder()
                .state(state)
                .currentState(state)
                .accessFlags(view.getInt("qp_access_flags"))
                .pkeyIndex(view.getInt("pkey_index"))
                .port(view.getInt("port_num"))
                .qkey(view.getInt("qkey"))
                .timeout(view.getInt("timeout") & 0x1f)
                .retryCount(view.getInt("retry_cnt") & 7)
                .rnrRetry(view.getInt("rnr_retry") & 7)
                .receivePsn(view.getInt("rq_psn") & PSN_MASK)
                .sendPsn(view.getInt("sq_psn") & PSN_MASK)
                .maxReadAtomic(view.getInt("max_rd_atomic"))
                .maxDestinationReadAtomic(view.getInt("max_dest_rd_atomic"))
                .minRnrTimer(view.getInt("min_rnr_timer") & 0x1f)
                .destinationQueuePairNumber(view.getInt("dest_qp_num") & PSN_MASK)
                .pathMigrationState(Math.min(view.getInt("path_mig_state"), 2))
                .capabilities(IbUverbsQpCap.read(view))
                .sendQueueDraining(view.getInt("sq_draining") != 0);
        int mtu = view.getInt("path_mtu");
        if (mtu >= Mtu.MTU_256.value() && mtu <= Mtu.MTU_4096.value()) {
            attributes.pathMtu(Mtu.of(mtu));
        }
        AddressVector path = IbUverbsQpDest.read(view.slice("dest"));
        if (path != null) {
            attributes.addressVector(path);
        }
        AddressVector alternate = IbUverbsQpDest.read(view.slice("alt_dest"));
        if (alternate != null) {
            attributes.alternatePath(alternate);
        }
        return attributes.build();
    }
}
