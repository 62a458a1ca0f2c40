// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_create_srq_resp` (include/uapi/rdma/rdma_user_rxe.h): what rxe adds to the answer when a shared receive
/// queue is created (`rxe_srq_from_init`, rxe_srq.c).
final class RxeCreateSrqResp {
    static final StructLayout LAYOUT = structLayout(
            RxeMminfo.LAYOUT.withName("mi"), JAVA_INT.withName("srq_num"), JAVA_INT.withName("reserved"))
            .withName("rxe_create_srq_resp");

    static final VarHandle SRQ_NUM =
            LAYOUT.varHandle(groupElement("srq_num")).withInvokeExactBehavior();

    private RxeCreateSrqResp() {}
}
