// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_create_ah_resp` (include/uapi/rdma/rdma_user_rxe.h): what rxe adds to the answer when an address handle
/// is created (`rxe_create_ah`, rxe_verbs.c): the number by which a datagram WQE names it.
final class RxeCreateAhResp {
    static final StructLayout LAYOUT = structLayout(JAVA_INT.withName("ah_num"), JAVA_INT.withName("reserved"))
            .withName("rxe_create_ah_resp");

    static final VarHandle AH_NUM =
            LAYOUT.varHandle(groupElement("ah_num")).withInvokeExactBehavior();

    private RxeCreateAhResp() {}
}
