// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.structLayout;

import java.lang.foreign.StructLayout;

/// `struct rxe_create_cq_resp` (include/uapi/rdma/rdma_user_rxe.h): what rxe adds to the answer when a completion queue
/// is created (`rxe_create_cq`, rxe_verbs.c).
final class RxeCreateCqResp {
    static final StructLayout LAYOUT =
            structLayout(RxeMminfo.LAYOUT.withName("mi")).withName("rxe_create_cq_resp");

    private RxeCreateCqResp() {}
}
