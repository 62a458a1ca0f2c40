// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_create_ah_resp` (include/uapi/rdma/rdma_user_rxe.h): rxe's addition to the answer when an address handle
/// is created (`rxe_create_ah`, rxe_verbs.c): the number by which a datagram WQE names it.
final class RxeCreateAhResp {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_create_ah_resp",
            u32("ah_num", "number by which a datagram names it"),
            u32("reserved"));

    static final StructLayout LAYOUT = STRUCT.layout();

    static final VarHandle AH_NUM =
            LAYOUT.varHandle(groupElement("ah_num")).withInvokeExactBehavior();

    private RxeCreateAhResp() {}
}
