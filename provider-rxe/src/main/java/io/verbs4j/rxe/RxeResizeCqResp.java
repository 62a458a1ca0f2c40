// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.struct;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;

/// `struct rxe_resize_cq_resp` (include/uapi/rdma/rdma_user_rxe.h): the mapping of a resized completion queue's new
/// ring (`rxe_resize_cq`, rxe_verbs.c).
final class RxeResizeCqResp {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_resize_cq_resp",
            struct("mi", RxeMminfo.STRUCT, "resized completion ring"));

    static final StructLayout LAYOUT = STRUCT.layout();

    private RxeResizeCqResp() {}
}
