// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_recv_wqe` (include/uapi/rdma/rdma_user_rxe.h): an element of a receive ring, of a queue pair or shared.
/// The scatter/gather elements follow these 40 bytes.
///
/// The kernel takes a copy of all of it, the unused words too, when a message arrives (`get_srq_wqe` and
/// `rxe_get_recv_wqe`, rxe_resp.c); kernels before that copy was introduced for queue pairs moved the cursor in the
/// element itself. Every field is written at every post.
final class RxeRecvWqe {
    static final StructLayout LAYOUT = structLayout(
            JAVA_LONG.withName("wr_id"),
            JAVA_INT.withName("reserved"),
            JAVA_INT.withName("padding"),
            RxeDmaInfo.LAYOUT.withName("dma"))
            .withName("rxe_recv_wqe");

    /// Where the scatter/gather elements begin.
    static final long SGE = LAYOUT.byteOffset(groupElement("dma")) + RxeDmaInfo.PAYLOAD;

    static final VarHandle WR_ID =
            LAYOUT.varHandle(groupElement("wr_id")).withInvokeExactBehavior();
    static final VarHandle RESERVED =
            LAYOUT.varHandle(groupElement("reserved")).withInvokeExactBehavior();
    static final VarHandle PADDING =
            LAYOUT.varHandle(groupElement("padding")).withInvokeExactBehavior();

    static final VarHandle DMA_LENGTH = dma("length");
    static final VarHandle DMA_RESID = dma("resid");
    static final VarHandle DMA_CUR_SGE = dma("cur_sge");
    static final VarHandle DMA_NUM_SGE = dma("num_sge");
    static final VarHandle DMA_SGE_OFFSET = dma("sge_offset");
    static final VarHandle DMA_RESERVED = dma("reserved");

    private RxeRecvWqe() {}

    private static VarHandle dma(String field) {
        return LAYOUT.varHandle(groupElement("dma"), groupElement(field)).withInvokeExactBehavior();
    }
}
