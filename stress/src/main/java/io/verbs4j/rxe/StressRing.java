// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/// The kernel's end of a ring, with the accesses of `rxe_queue.h`. Its memory is native, as that of a mapping.
final class StressRing {
    private static final int SHIFT = 6;
    private static final int SLOTS = 4;

    /// Memory of the rings in turn. There are many more than states live at a time.
    private static final int RINGS = 1 << 16;

    private static final long RING_BYTES = RxeQueueBuf.DATA + (SLOTS << SHIFT);
    private static final MemorySegment POOL = Arena.global().allocate(RINGS * RING_BYTES, Long.BYTES);
    private static final AtomicInteger NEXT = new AtomicInteger();

    final MemorySegment memory;

    StressRing(int producer, int consumer) {
        memory = POOL.asSlice((NEXT.getAndIncrement() & (RINGS - 1)) * RING_BYTES, RING_BYTES);
        memory.fill((byte) 0);
        memory.set(JAVA_INT, 0, SHIFT);
        memory.set(JAVA_INT, 4, SLOTS - 1);
        RxeQueueBuf.PRODUCER_INDEX.set(memory, 0L, producer);
        RxeQueueBuf.CONSUMER_INDEX.set(memory, 0L, consumer);
    }

    /// First field of an element: the work request's id.
    long id(int slot) {
        return memory.get(JAVA_LONG, at(slot));
    }

    void setId(int slot, long id) {
        memory.set(JAVA_LONG, at(slot), id);
    }

    private static long at(int slot) {
        return RxeQueueBuf.DATA + ((long) slot << SHIFT);
    }

    /// `smp_load_acquire` in `queue_get_producer`.
    int producer() {
        return (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(memory, 0L);
    }

    /// `smp_store_release` in `queue_advance_producer`.
    void produced(int next) {
        RxeQueueBuf.PRODUCER_INDEX.setRelease(memory, 0L, next);
    }

    /// `smp_store_release` in `queue_advance_consumer`.
    void consumed(int next) {
        RxeQueueBuf.CONSUMER_INDEX.setRelease(memory, 0L, next);
    }

    /// `queue_full`, with the `smp_load_acquire` of `queue_get_consumer`.
    boolean full(int producer) {
        return ((producer + 1 - (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(memory, 0L)) & (SLOTS - 1)) == 0;
    }

    /// Takes a while without touching memory, so that what happens before and what happens after do not coincide.
    static int pause(int seed) {
        int value = seed;
        for (int i = 0; i < 100; i++) {
            value = Integer.reverse(value) * 31 + i;
        }
        return value;
    }
}
