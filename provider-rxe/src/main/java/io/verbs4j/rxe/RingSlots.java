// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A look at a mapped ring from outside, for tracing. The ring's own class has checked the header before.
///
/// @param ring the mapping
record RingSlots(MemorySegment ring) {
    int producer() {
        return (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ring, 0L);
    }

    int consumer() {
        return (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ring, 0L);
    }

    /// The slot so many behind another one.
    int after(int slot, int count) {
        return (slot + count) & (int) RxeQueueBuf.INDEX_MASK.get(ring, 0L);
    }

    long address(int slot) {
        return ring.address() + offset(slot);
    }

    byte[] copy(int slot) {
        return ring.asSlice(offset(slot), 1L << shift()).toArray(ValueLayout.JAVA_BYTE);
    }

    private long offset(int slot) {
        return RxeQueueBuf.DATA + ((long) slot << shift());
    }

    private int shift() {
        return (int) RxeQueueBuf.LOG2_ELEM_SIZE.get(ring, 0L);
    }
}
