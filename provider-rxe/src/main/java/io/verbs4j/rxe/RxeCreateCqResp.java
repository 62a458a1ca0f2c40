// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.struct;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;

/// `struct rxe_create_cq_resp` (include/uapi/rdma/rdma_user_rxe.h): rxe's part of the response when a completion queue
/// is created (`rxe_create_cq`, rxe_verbs.c).
final class RxeCreateCqResp {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_create_cq_resp",
            struct("mi", RxeMminfo.STRUCT, "completion ring"));

    static final StructLayout LAYOUT = STRUCT.layout();

    private RxeCreateCqResp() {}
}
