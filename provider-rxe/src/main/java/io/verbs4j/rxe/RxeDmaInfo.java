// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.MemoryLayout.unionLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.StructLayout;

/// `struct rxe_dma_info` (include/uapi/rdma/rdma_user_rxe.h): the payload of a work request and how far the kernel has
/// got with it. The head of a WQE ends with it, and one of the three forms of payload follows.
///
/// `length` is the message's length; `resid`, `cur_sge` and `sge_offset` are a cursor that the kernel moves in place
/// (`copy_data`, rxe_mr.c), so whoever posts must set it to the start: `resid` equal to `length`, the others 0.
final class RxeDmaInfo {
    static final StructLayout LAYOUT = structLayout(
            JAVA_INT.withName("length"),
            JAVA_INT.withName("resid"),
            JAVA_INT.withName("cur_sge"),
            JAVA_INT.withName("num_sge"),
            JAVA_INT.withName("sge_offset"),
            JAVA_INT.withName("reserved"),
            unionLayout(
                    sequenceLayout(0, JAVA_BYTE).withName("inline_data"),
                    sequenceLayout(0, JAVA_BYTE).withName("atomic_wr"),
                    sequenceLayout(0, RxeSge.LAYOUT).withName("sge")))
            .withName("rxe_dma_info");

    /// Where the payload begins. The union of its three forms has no name in C either, so it goes by its place.
    static final long PAYLOAD = LAYOUT.byteOffset(groupElement(6), groupElement("sge"));

    private RxeDmaInfo() {}
}
