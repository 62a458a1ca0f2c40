// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_sge` (include/uapi/rdma/rdma_user_rxe.h): one local buffer of a work request. `dma.num_sge` of them
/// follow the head of a send or receive WQE.
final class RxeSge {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_sge",
            u64("addr", "first byte, by the region's iova"),
            u32("length", "bytes"),
            u32("lkey", "the region's local key"));

    static final StructLayout LAYOUT = STRUCT.layout();

    static final long BYTES = LAYOUT.byteSize();

    static final VarHandle ADDR = handle("addr");
    static final VarHandle LENGTH = handle("length");
    static final VarHandle LKEY = handle("lkey");

    private RxeSge() {}

    private static VarHandle handle(String field) {
        return LAYOUT.varHandle(groupElement(field)).withInvokeExactBehavior();
    }
}
