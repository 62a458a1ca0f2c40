// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;

/// The parts of a send WQE that several operations share. Each method writes a good deal at once: one call per field
/// would cost several times the stores, since the compiler stops inlining such small methods after about ten.
final class SendWqeWriter {
    private SendWqeWriter() {}

    /// Writes what all operations have: everything but the arm of the union `wr.wr` and the payload.
    ///
    /// @param base where the WQE begins in the ring
    static void head(
            MemorySegment ring,
            long base,
            int opcode,
            long workRequestId,
            int flags,
            int immediateDataOrKey,
            long iova,
            int length,
            int elements) {
        RxeSendWqe.WR_ID.set(ring, base, workRequestId);
        RxeSendWqe.OPCODE.set(ring, base, opcode);
        RxeSendWqe.SEND_FLAGS.set(ring, base, flags);
        if (SendOpcodes.has(SendOpcodes.WITH_IMMEDIATE, opcode)) {
            RxeSendWqe.IMM_DATA.set(ring, base, immediateDataOrKey);
        } else {
            RxeSendWqe.INVALIDATE_RKEY.set(ring, base, immediateDataOrKey);
        }
        RxeSendWqe.STATUS.set(ring, base, 0);
        RxeSendWqe.STATE.set(ring, base, RxeSendWqe.STATE_POSTED);
        RxeSendWqe.IOVA.set(ring, base, iova);
        RxeSendWqe.HAS_RD_ATOMIC.set(ring, base, 0);
        RxeSendWqe.DMA_LENGTH.set(ring, base, length);
        RxeSendWqe.DMA_RESID.set(ring, base, length);
        RxeSendWqe.DMA_CUR_SGE.set(ring, base, 0);
        RxeSendWqe.DMA_NUM_SGE.set(ring, base, elements);
        RxeSendWqe.DMA_SGE_OFFSET.set(ring, base, 0);
    }

    /// Writes the arm `wr.wr.rdma`.
    static void rdma(MemorySegment ring, long base, long remoteAddress, int rkey) {
        RxeSendWqe.RDMA_REMOTE_ADDR.set(ring, base, remoteAddress);
        RxeSendWqe.RDMA_RKEY.set(ring, base, rkey);
    }

    /// Writes the arm `wr.wr.ud`.
    static void datagram(MemorySegment ring, long base, int remoteQueuePair, int remoteQkey, int addressHandle) {
        RxeSendWqe.UD_REMOTE_QPN.set(ring, base, remoteQueuePair);
        RxeSendWqe.UD_REMOTE_QKEY.set(ring, base, remoteQkey);
        RxeSendWqe.UD_AH_NUM.set(ring, base, addressHandle);
    }

    /// Writes the only scatter/gather element.
    static void element(MemorySegment ring, long base, long address, int length, int lkey) {
        long sge = base + RxeSendWqe.PAYLOAD;
        RxeSge.ADDR.set(ring, sge, address);
        RxeSge.LENGTH.set(ring, sge, length);
        RxeSge.LKEY.set(ring, sge, lkey);
    }

    /// Writes all scatter/gather elements.
    static void elements(MemorySegment ring, long base, ScatterGatherList list) {
        int count = list.size();
        for (int i = 0; i < count; i++) {
            long sge = base + RxeSendWqe.PAYLOAD + i * RxeSge.BYTES;
            RxeSge.ADDR.set(ring, sge, list.address(i));
            RxeSge.LENGTH.set(ring, sge, list.length(i));
            RxeSge.LKEY.set(ring, sge, list.lkey(i));
        }
    }
}
