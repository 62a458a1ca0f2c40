// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// `struct rxe_send_wqe` (include/uapi/rdma/rdma_user_rxe.h): an element of a send ring. The scatter/gather elements,
/// the inline payload, or the 8 bytes of an atomic write follow these 208 bytes.
///
/// The kernel works *in* the element. From the first packet to the completion, it stores its progress in the element,
/// and it reads the request again before a retransmission (`req_retry`, rxe_req.c). Therefore, an element belongs to
/// the kernel until the consumer index has passed the element. A reused element contains values that the kernel has
/// left behind.
///
/// Every post must write the fields that the kernel reads before it writes them (rxe_req.c, rxe_comp.c, rxe_av.c,
/// rxe_mw.c of 6.1, 6.12 and 7.2):
///
/// | field | why |
/// |---|---|
/// | `wr.wr_id` | copied to the completion (`make_send_cqe`, `flush_send_wqe`) |
/// | `wr.opcode` | an index into `rxe_wr_opcode_info` that the kernel does not check (`wr_opcode_mask`) |
/// | `wr.send_flags` | fence, signaled, solicited, inline; a stray inline bit sends scatter/gather elements as payload |
/// | `wr.ex` | immediate data, or the key to invalidate |
/// | `wr.wr` | the fields that the kernel reads, of the member that the opcode selects; see [SendRing] |
/// | `status` | 0: copied to the completion as it stands, so a stale error would be reported again (`make_send_cqe`) |
/// | `state` | 0, posted: anything else makes the completer take it for started or done (`get_wqe`) |
/// | `iova` | the remote address of the next packet (`init_req_packet`); computed from `wr.wr` only for a retry |
/// | `has_rd_atomic` | 0: a stale 1 takes no credit for a read or atomic, and gives one back (`check_init_depth`, `complete_ack`) |
/// | `dma.length` | byte count of the completion, and of a retry |
/// | `dma.resid` | as `length`: the remaining bytes to send or to receive |
/// | `dma.cur_sge`, `dma.sge_offset` | 0: where copying begins, also in the inline payload (`copy_data`, `finish_packet`) |
/// | `dma.num_sge` | checked against the queue's limit; 0 for inline data and for an empty message |
/// | payload | as many elements or bytes as there are |
///
/// The other fields are not written. The kernel never reads some of them: `wr.reserved`, `ack_length`, `dma.reserved`,
/// and `ssn`, which belongs to the kernel's own queue pairs. The kernel writes other fields before it reads them:
/// `mask` in `req_next_wqe`, `first_psn` and `last_psn` in `update_wqe_psn`. The rest of the union `wr.wr` is not
/// written either.
final class RxeSendWqe {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_send_wqe",
            struct("wr", RxeSendWr.STRUCT, "the request"),
            u32("status", "0 from the poster; what the kernel completes it with"),
            u32("state", "0 posted, then the kernel's: 1 processing, 2 pending, 3 done, 4 error"),
            u64("iova", "remote address of the next packet"),
            u32("mask", "the kernel's: kind of operation"),
            u32("first_psn", "the kernel's: PSN of the first packet"),
            u32("last_psn", "the kernel's: PSN of the last packet"),
            u32("ack_length", "unused"),
            u32("ssn", "the kernel's own queue pairs only"),
            u32("has_rd_atomic", "0 from the poster; 1 while it holds a credit for reads and atomics"),
            struct("dma", RxeDmaInfo.STRUCT, "its payload"));

    static final StructLayout LAYOUT = STRUCT.layout();

    /// Offset of the payload: scatter/gather elements, inline data or an atomic write's value.
    static final long PAYLOAD = LAYOUT.byteOffset(groupElement("dma")) + RxeDmaInfo.PAYLOAD;

    static final VarHandle WR_ID = handle("wr.wr_id");
    static final int OPCODE_OFFSET = offset("wr.opcode");
    static final VarHandle OPCODE = handle("wr.opcode");
    static final VarHandle SEND_FLAGS = handle("wr.send_flags");
    /// Converts to network order. The kernel sends the value without conversion.
    static final VarHandle IMM_DATA = handle("wr.ex.imm_data");

    static final VarHandle INVALIDATE_RKEY = handle("wr.ex.invalidate_rkey");

    static final VarHandle RDMA_REMOTE_ADDR = handle("wr.wr.rdma.remote_addr");
    static final VarHandle RDMA_RKEY = handle("wr.wr.rdma.rkey");

    static final VarHandle ATOMIC_REMOTE_ADDR = handle("wr.wr.atomic.remote_addr");
    static final VarHandle ATOMIC_COMPARE_ADD = handle("wr.wr.atomic.compare_add");
    static final VarHandle ATOMIC_SWAP = handle("wr.wr.atomic.swap");
    static final VarHandle ATOMIC_RKEY = handle("wr.wr.atomic.rkey");

    static final VarHandle FLUSH_REMOTE_ADDR = handle("wr.wr.flush.remote_addr");
    static final VarHandle FLUSH_RKEY = handle("wr.wr.flush.rkey");
    static final VarHandle FLUSH_TYPE = handle("wr.wr.flush.type");
    static final VarHandle FLUSH_LEVEL = handle("wr.wr.flush.level");

    static final VarHandle UD_REMOTE_QPN = handle("wr.wr.ud.remote_qpn");
    static final VarHandle UD_REMOTE_QKEY = handle("wr.wr.ud.remote_qkey");
    static final VarHandle UD_AH_NUM = handle("wr.wr.ud.ah_num");
    static final int UD_AH_NUM_OFFSET = offset("wr.wr.ud.ah_num");

    static final VarHandle MW_ADDR = handle("wr.wr.mw.addr");
    static final VarHandle MW_LENGTH = handle("wr.wr.mw.length");
    static final VarHandle MW_MR_LKEY = handle("wr.wr.mw.mr_lkey");
    static final int MW_MW_RKEY_OFFSET = offset("wr.wr.mw.mw_rkey");
    static final VarHandle MW_MW_RKEY = handle("wr.wr.mw.mw_rkey");
    static final VarHandle MW_RKEY = handle("wr.wr.mw.rkey");
    static final VarHandle MW_ACCESS = handle("wr.wr.mw.access");

    static final VarHandle STATUS = handle("status");
    static final VarHandle STATE = handle("state");
    static final VarHandle IOVA = handle("iova");
    static final VarHandle HAS_RD_ATOMIC = handle("has_rd_atomic");

    static final VarHandle DMA_LENGTH = handle("dma.length");
    static final VarHandle DMA_RESID = handle("dma.resid");
    static final VarHandle DMA_CUR_SGE = handle("dma.cur_sge");
    static final VarHandle DMA_NUM_SGE = handle("dma.num_sge");
    static final VarHandle DMA_SGE_OFFSET = handle("dma.sge_offset");

    /// State of a new element, which the kernel has not processed yet (`wqe_state_posted`, rxe_verbs.h).
    static final int STATE_POSTED = 0;

    private RxeSendWqe() {}

    /// Returns the offset of a field.
    static int offset(String dotted) {
        return (int) LAYOUT.byteOffset(path(dotted));
    }

    private static VarHandle handle(String dotted) {
        return LAYOUT.varHandle(path(dotted)).withInvokeExactBehavior();
    }

    private static PathElement[] path(String dotted) {
        return Arrays.stream(dotted.split("\\.")).map(name -> groupElement(name)).toArray(PathElement[]::new);
    }
}
