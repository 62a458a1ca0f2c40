// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static io.verbs4j.types.WorkRequestOpcode.BIND_MEMORY_WINDOW;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.ScatterGatherList;

/// Writes the parts of a send WQE that several operations have in common. Each method writes many fields. One call per
/// field would take several times as long as the stores, because the compiler inlines only about ten such small
/// methods.
final class SendWqeWriter {
    private SendWqeWriter() {}

    /// Writes the fields of all operations: everything except the member of the union `wr.wr` and the payload.
    ///
    /// @param slot address of the WQE
    /// @param opcode the checked opcode; another thread may change that of the request
    /// @param flags the checked flags
    static void head(long slot, SendRequest request, int opcode, int flags, long iova, int length, int elements) {
        long at = slot & ADDRESSES;
        RxeSendWqe.WR_ID.set(ALL, at, request.workRequestId());
        RxeSendWqe.OPCODE.set(ALL, at, opcode);
        RxeSendWqe.SEND_FLAGS.set(ALL, at, flags);
        data(at, opcode, opcode == BIND_MEMORY_WINDOW ? 0 : request.immediateDataOrKey());
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

    /// Writes immediate data, in network order, or a key.
    static void data(long slot, int opcode, int value) {
        if (OpcodeSet.has(SendOpcodes.WITH_IMMEDIATE, opcode)) {
            RxeSendWqe.IMM_DATA.set(ALL, slot & ADDRESSES, value);
        } else {
            RxeSendWqe.INVALIDATE_RKEY.set(ALL, slot & ADDRESSES, value);
        }
    }

    /// Writes the member of the union `wr.wr` of a message: `rdma` or `ud`.
    ///
    /// @param destination number of a datagram's address handle
    static void target(long slot, SendRequest request, boolean datagram, int destination) {
        if (datagram) {
            datagram(slot, request, destination);
        } else {
            rdma(slot, request);
        }
    }

    /// Writes the member `wr.wr.rdma`.
    static void rdma(long slot, SendRequest request) {
        long at = slot & ADDRESSES;
        RxeSendWqe.RDMA_REMOTE_ADDR.set(ALL, at, request.remoteAddress());
        RxeSendWqe.RDMA_RKEY.set(ALL, at, request.remoteKey());
    }

    /// Writes the member `wr.wr.ud`.
    static void datagram(long slot, SendRequest request, int addressHandle) {
        long at = slot & ADDRESSES;
        RxeSendWqe.UD_REMOTE_QPN.set(ALL, at, request.remoteQueuePair());
        RxeSendWqe.UD_REMOTE_QKEY.set(ALL, at, request.remoteQkey());
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
    ///
    /// @param count the checked number of elements
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
