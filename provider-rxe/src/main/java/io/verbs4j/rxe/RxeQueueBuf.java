// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_queue_buf` (include/uapi/rdma/rdma_user_rxe.h): the head of every ring that rxe shares with a process.
/// The elements follow it; element `i` begins at `data + (i << log2_elem_size)`.
///
/// The two index words lie in cache lines of their own, since each is written by one side and read by the other:
///
/// | ring | `producer_index` | `consumer_index` |
/// |---|---|---|
/// | send, receive, shared receive | we | the kernel |
/// | completion | the kernel | we |
///
/// Both sides store an index only after masking it with `index_mask`. The ring is empty when the indices are equal and
/// full when the producer is one slot behind the consumer, so it holds `index_mask` elements and not one more.
///
/// The kernel keeps copies of the first two words and of its own index (`struct rxe_queue`, rxe_queue.h) and never
/// reads them back from here.
final class RxeQueueBuf {
    static final StructLayout LAYOUT = structLayout(
            JAVA_INT.withName("log2_elem_size"),
            JAVA_INT.withName("index_mask"),
            sequenceLayout(30, JAVA_INT).withName("pad_1"),
            JAVA_INT.withName("producer_index"),
            sequenceLayout(31, JAVA_INT).withName("pad_2"),
            JAVA_INT.withName("consumer_index"),
            sequenceLayout(31, JAVA_INT).withName("pad_3"),
            sequenceLayout(0, JAVA_BYTE).withName("data"))
            .withName("rxe_queue_buf");

    /// Where element 0 begins.
    static final long DATA = LAYOUT.byteOffset(groupElement("data"));

    static final VarHandle LOG2_ELEM_SIZE = handle("log2_elem_size");
    static final VarHandle INDEX_MASK = handle("index_mask");
    static final VarHandle PRODUCER_INDEX = handle("producer_index");
    static final VarHandle CONSUMER_INDEX = handle("consumer_index");

    private RxeQueueBuf() {}

    private static VarHandle handle(String field) {
        return LAYOUT.varHandle(groupElement(field)).withInvokeExactBehavior();
    }
}
