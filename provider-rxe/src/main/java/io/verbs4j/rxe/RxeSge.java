// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_sge` (include/uapi/rdma/rdma_user_rxe.h): one local buffer of a work request. As many as `dma.num_sge`
/// says follow the head of a send or receive WQE.
final class RxeSge {
    static final StructLayout LAYOUT = structLayout(
            JAVA_LONG.withName("addr"), JAVA_INT.withName("length"), JAVA_INT.withName("lkey"))
            .withName("rxe_sge");

    static final long BYTES = LAYOUT.byteSize();

    static final VarHandle ADDR = handle("addr");
    static final VarHandle LENGTH = handle("length");
    static final VarHandle LKEY = handle("lkey");

    private RxeSge() {}

    private static VarHandle handle(String field) {
        return LAYOUT.varHandle(groupElement(field)).withInvokeExactBehavior();
    }
}
