// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;

/// `struct rxe_create_qp_resp` (include/uapi/rdma/rdma_user_rxe.h): rxe's part of the response when a queue pair is
/// created (`rxe_create_qp`, rxe_verbs.c). The receive ring is first. With a shared receive queue, the kernel leaves
/// this part unchanged.
final class RxeCreateQpResp {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_create_qp_resp",
            struct("rq_mi", RxeMminfo.STRUCT, "receive ring"),
            struct("sq_mi", RxeMminfo.STRUCT, "send ring"));

    static final StructLayout LAYOUT = STRUCT.layout();

    static final long RQ_MI = LAYOUT.byteOffset(groupElement("rq_mi"));
    static final long SQ_MI = LAYOUT.byteOffset(groupElement("sq_mi"));

    private RxeCreateQpResp() {}
}
