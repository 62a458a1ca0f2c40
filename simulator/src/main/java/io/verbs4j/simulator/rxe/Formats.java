// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.rxe.RxeStructs;

/// The structs of rxe's rings by their C names. The provider uses the same ones, and a C compiler has checked them.
final class Formats {
    /// `struct rxe_queue_buf`: the head of a ring.
    static final CStruct QUEUE = named("rxe_queue_buf");
    /// `struct rxe_send_wqe`.
    static final CStruct SEND = named("rxe_send_wqe");
    /// `struct rxe_recv_wqe`.
    static final CStruct RECEIVE = named("rxe_recv_wqe");
    /// `struct rxe_dma_info`.
    static final CStruct DMA = named("rxe_dma_info");
    /// `struct rxe_sge`.
    static final CStruct ELEMENT = named("rxe_sge");
    /// `struct ib_uverbs_wc`.
    static final CStruct COMPLETION = named("ib_uverbs_wc");
    /// `struct mminfo`.
    static final CStruct MAPPING = named("mminfo");

    private Formats() {}

    private static CStruct named(String name) {
        return RxeStructs.all()
                .stream()
                .filter(struct -> struct.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("rxe has no struct " + name));
    }
}
