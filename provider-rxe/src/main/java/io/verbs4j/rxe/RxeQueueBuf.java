// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct rxe_queue_buf` (include/uapi/rdma/rdma_user_rxe.h): the header of every ring that rxe shares with a process.
/// The elements follow it; element `i` begins at `data + (i << log2_elem_size)`.
///
/// The two index words are in separate cache lines, because one side writes each word and the other side reads it:
///
/// | ring | `producer_index` | `consumer_index` |
/// |---|---|---|
/// | send, receive, shared receive | the program | the kernel |
/// | completion | the kernel | the program |
///
/// Both sides store an index only after masking it with `index_mask`. The ring is empty when the indices are equal, and
/// full when the producer is one slot behind the consumer. Therefore, a ring holds at most `index_mask` elements.
///
/// The kernel keeps copies of the first two words and of its own index (`struct rxe_queue`, rxe_queue.h), and never
/// reads them from this header.
final class RxeQueueBuf {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_queue_buf",
            u32("log2_elem_size", "distance of two elements is 2 to its power"),
            u32("index_mask", "slots - 1"),
            array("pad_1", 30, JAVA_INT),
            u32("producer_index", "next slot to fill; written by the side that fills"),
            array("pad_2", 31, JAVA_INT),
            u32("consumer_index", "next slot to take; written by the side that takes"),
            array("pad_3", 31, JAVA_INT),
            bytes("data", 0, "the slots"));

    static final StructLayout LAYOUT = STRUCT.layout();

    /// Offset of element 0.
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
