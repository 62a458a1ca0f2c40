// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_create_ah_resp` (include/uapi/rdma/rdma_user_rxe.h): rxe's part of the response when an address handle
/// is created (`rxe_create_ah`, rxe_verbs.c). It contains the number by which a datagram's WQE refers to the handle.
final class RxeCreateAhResp {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_create_ah_resp",
            u32("ah_num", "number by which a datagram refers to it"),
            u32("reserved"));

    static final StructLayout LAYOUT = STRUCT.layout();

    static final VarHandle AH_NUM =
            LAYOUT.varHandle(groupElement("ah_num")).withInvokeExactBehavior();

    private RxeCreateAhResp() {}
}
