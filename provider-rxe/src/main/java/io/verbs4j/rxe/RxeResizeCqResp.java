// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.structLayout;

import java.lang.foreign.StructLayout;

/// `struct rxe_resize_cq_resp` (include/uapi/rdma/rdma_user_rxe.h): where the new ring of a resized completion queue is
/// to be mapped (`rxe_resize_cq`, rxe_verbs.c).
final class RxeResizeCqResp {
    static final StructLayout LAYOUT =
            structLayout(RxeMminfo.LAYOUT.withName("mi")).withName("rxe_resize_cq_resp");

    private RxeResizeCqResp() {}
}
