// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.ScatterGatherList;

/// The parts of a send WQE that several operations share. Each method writes a good deal at once: one call per field
/// would cost several times the stores, since the compiler stops inlining such small methods after about ten.
final class SendWqeWriter {
    private SendWqeWriter() {}

    /// Writes what all operations have: everything but the arm of the union `wr.wr` and the payload.
    ///
    /// @param slot address of the WQE
    static void head(
            long slot,
            int opcode,
            long workRequestId,
            int flags,
            int immediateDataOrKey,
            long iova,
            int length,
            int elements) {
        long at = slot & ADDRESSES;
        RxeSendWqe.WR_ID.set(ALL, at, workRequestId);
        RxeSendWqe.OPCODE.set(ALL, at, opcode);
        RxeSendWqe.SEND_FLAGS.set(ALL, at, flags);
        if (OpcodeSet.has(SendOpcodes.WITH_IMMEDIATE, opcode)) {
            RxeSendWqe.IMM_DATA.set(ALL, at, immediateDataOrKey);
        } else {
            RxeSendWqe.INVALIDATE_RKEY.set(ALL, at, immediateDataOrKey);
        }
        RxeSendWqe.STATUS.set(ALL, at, 0);
        RxeSendWqe.STATE.set(ALL, at, RxeSendWqe.STATE_POSTED);
        RxeSendWqe.IOVA.set(ALL, at, iova);
        RxeSendWqe.HAS_RD_ATOMIC.set(ALL, at, 0);
        RxeSendWqe.DMA_LENGTH.set(ALL, at, length);
        RxeSendWqe.DMA_RESID.set(ALL, at, length);
        RxeSendWqe.DMA_CUR_SGE.set(ALL, at, 0);
        RxeSendWqe.DMA_NUM_SGE.set(ALL, at, elements);
        RxeSendWqe.DMA_SGE_OFFSET.set(ALL, at, 0);
    }

    /// Writes the arm `wr.wr.rdma`.
    static void rdma(long slot, long remoteAddress, int rkey) {
        long at = slot & ADDRESSES;
        RxeSendWqe.RDMA_REMOTE_ADDR.set(ALL, at, remoteAddress);
        RxeSendWqe.RDMA_RKEY.set(ALL, at, rkey);
    }

    /// Writes the arm `wr.wr.ud`.
    static void datagram(long slot, int remoteQueuePair, int remoteQkey, int addressHandle) {
        long at = slot & ADDRESSES;
        RxeSendWqe.UD_REMOTE_QPN.set(ALL, at, remoteQueuePair);
        RxeSendWqe.UD_REMOTE_QKEY.set(ALL, at, remoteQkey);
        RxeSendWqe.UD_AH_NUM.set(ALL, at, addressHandle);
    }

    /// Writes the only scatter/gather element.
    static void element(long slot, long address, int length, int lkey) {
        long at = slot & ADDRESSES;
        long sge = at + RxeSendWqe.PAYLOAD;
        RxeSge.ADDR.set(ALL, sge, address);
        RxeSge.LENGTH.set(ALL, sge, length);
        RxeSge.LKEY.set(ALL, sge, lkey);
    }

    /// Writes all scatter/gather elements.
    static void elements(long slot, ScatterGatherList list, int count) {
        long at = slot & ADDRESSES;
        for (int i = 0; i < count; i++) {
            long sge = at + RxeSendWqe.PAYLOAD + i * RxeSge.BYTES;
            RxeSge.ADDR.set(ALL, sge, list.address(i));
            RxeSge.LENGTH.set(ALL, sge, list.length(i));
            RxeSge.LKEY.set(ALL, sge, list.lkey(i));
        }
    }
}
