// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.Completion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// The kernel's end of a ring, with the accesses of `rxe_queue.h`. Its memory is native, as that of a mapping.
///
/// Each element has its number twice: in its first field, which is the work request's id in all rings, and in its last
/// one. So an element of which a part is missing is [#TORN].
final class StressRing {
    /// The mark of an element whose first and last field differ.
    static final int TORN = -1;

    /// Of a receive with one buffer: the buffer's key.
    private static final Shape RECEIVES = new Shape(6, RxeRecvWqe.SGE + RxeSge.STRUCT.offset("lkey"));

    /// Of a send with one buffer: likewise.
    private static final Shape SENDS = new Shape(8, RxeSendWqe.PAYLOAD + RxeSge.STRUCT.offset("lkey"));

    /// The word that begins with the service level.
    private static final Shape COMPLETIONS = new Shape(6, RxeCqe.STRUCT.offset("sl"));

    private static final int SLOTS = 4;

    /// Memory of the rings in turn. There are many more than states live at a time.
    private static final int RINGS = 1 << 16;

    private static final long RING_BYTES = RxeQueueBuf.DATA + ((long) SLOTS << SENDS.shift);
    private static final MemorySegment POOL = Arena.global().allocate(RINGS * RING_BYTES, Long.BYTES);
    private static final AtomicInteger NEXT = new AtomicInteger();

    /// @param shift binary logarithm of the distance between two elements
    /// @param last where the last field of an element is
    private record Shape(int shift, long last) {}

    final MemorySegment memory;
    private final Shape shape;

    private StressRing(Shape shape, int producer, int consumer) {
        this.shape = shape;
        memory = POOL.asSlice((NEXT.getAndIncrement() & (RINGS - 1)) * RING_BYTES, at(SLOTS));
        memory.fill((byte) 0);
        memory.set(JAVA_INT, 0, shape.shift);
        memory.set(JAVA_INT, 4, SLOTS - 1);
        RxeQueueBuf.PRODUCER_INDEX.set(memory, 0L, producer);
        RxeQueueBuf.CONSUMER_INDEX.set(memory, 0L, consumer);
    }

    static StressRing ofReceives(int producer, int consumer) {
        return new StressRing(RECEIVES, producer, consumer);
    }

    static StressRing ofSends(int producer, int consumer) {
        return new StressRing(SENDS, producer, consumer);
    }

    static StressRing ofCompletions(int producer, int consumer) {
        return new StressRing(COMPLETIONS, producer, consumer);
    }

    /// Number of an element, or [#TORN].
    int element(int slot) {
        int first = (int) memory.get(JAVA_LONG, at(slot));
        int last = memory.get(JAVA_INT, at(slot) + shape.last);
        return first == last ? first : TORN;
    }

    /// Writes an element.
    void setElement(int slot, int number) {
        memory.set(JAVA_LONG, at(slot), number);
        memory.set(JAVA_INT, at(slot) + shape.last, number);
    }

    /// Number of a completion that was read, or [#TORN].
    static int number(Completion completion) {
        int first = (int) completion.workRequestId();
        return first == completion.serviceLevel() ? first : TORN;
    }

    private long at(int slot) {
        return RxeQueueBuf.DATA + ((long) slot << shape.shift);
    }

    /// `smp_load_acquire` in `queue_get_producer`.
    int producer() {
        return (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(memory, 0L);
    }

    /// `smp_store_release` in `queue_advance_producer`.
    void produced(int next) {
        RxeQueueBuf.PRODUCER_INDEX.setRelease(memory, 0L, next);
    }

    /// `smp_load_acquire` in `queue_get_consumer`.
    int consumer() {
        return (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(memory, 0L);
    }

    /// `smp_store_release` in `queue_advance_consumer`.
    void consumed(int next) {
        RxeQueueBuf.CONSUMER_INDEX.setRelease(memory, 0L, next);
    }

    /// `queue_full`.
    boolean full(int producer) {
        return ((producer + 1 - consumer()) & (SLOTS - 1)) == 0;
    }

    /// Looks for one element that was posted: the producer index, and the element if it is there.
    void takeOne(II_Result result) {
        result.r1 = producer();
        result.r2 = result.r1 == 0 ? 0 : element(0);
    }

    /// Looks for two elements that were posted: the producer index, and both elements if there is any.
    void takeTwo(III_Result result) {
        result.r1 = producer();
        if (result.r1 != 0) {
            result.r2 = element(0);
            result.r3 = element(1);
        }
    }

    /// Reads two elements and gives their slots back.
    void takeAndGiveBack(II_Result result) {
        result.r1 = element(0);
        result.r2 = element(1);
        consumed(2);
    }

    /// The producer index and the first three elements.
    void report(IIII_Result result) {
        result.r1 = producer();
        result.r2 = element(0);
        result.r3 = element(1);
        result.r4 = element(2);
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
