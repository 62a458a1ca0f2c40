// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_recv_wqe` (include/uapi/rdma/rdma_user_rxe.h): an element of a receive ring, of a queue pair or shared.
/// The scatter/gather elements follow these 40 bytes.
///
/// When a message arrives, the kernel copies the whole element, including the unused words (`get_srq_wqe` and
/// `rxe_get_recv_wqe`, rxe_resp.c). Older kernels did not copy elements of queue pairs, but moved the cursor in the
/// element itself. Therefore, every post writes every field.
final class RxeRecvWqe {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_recv_wqe",
            u64("wr_id", "the caller's, copied to the completion"),
            u32("reserved"),
            u32("padding"),
            struct("dma", RxeDmaInfo.STRUCT, "where the message goes"));

    static final StructLayout LAYOUT = STRUCT.layout();

    /// Offset of the scatter/gather elements.
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
