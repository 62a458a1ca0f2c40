// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_create_srq_resp` (include/uapi/rdma/rdma_user_rxe.h): rxe's part of the response when a shared receive
/// queue is created (`rxe_srq_from_init`, rxe_srq.c).
final class RxeCreateSrqResp {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_create_srq_resp",
            struct("mi", RxeMminfo.STRUCT, "shared receive ring"),
            u32("srq_num", "its number"),
            u32("reserved"));

    static final StructLayout LAYOUT = STRUCT.layout();

    static final VarHandle SRQ_NUM =
            LAYOUT.varHandle(groupElement("srq_num")).withInvokeExactBehavior();

    private RxeCreateSrqResp() {}
}
