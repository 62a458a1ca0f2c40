// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ring.VacatableRing;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The consumer side of a completion ring; the kernel's producer side is `rxe_cq_post` (rxe_cq.c). Confined to one
/// thread at a time: the caller's lock also makes the plain fields of this class visible to the next thread.
///
/// Two pairs of ordered accesses transfer the elements (rxe_queue.h):
///
/// | invariant | this class | the kernel |
/// |---|---|---|
/// | the program reads complete completions only | `producer_index` with acquire, before the elements | copies the element, then `smp_store_release` in `queue_advance_producer` |
/// | the kernel overwrites a slot only after the program has read it | `consumer_index` with release, after the elements | `smp_load_acquire` in `queue_get_consumer`, in its check for a full ring before the copy |
final class CompletionRing extends VacatableRing {
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private final long head;
    private final int mask;
    private final int shift;

    /// Next slot to read. Within a batch, it is ahead of [#given].
    private int next;

    /// The consumer index in the ring, which the kernel reads.
    private int given;

    /// Number of completions from [#next] on that are known to exist.
    private int available;

    /// @param ring the mapping
    CompletionRing(MemorySegment ring) {
        super(ring);
        RingGeometry geometry = RingGeometry.of(ring, RxeCqe.BYTES, "completion queue");
        this.head = ring.address();
        this.mask = geometry.mask();
        this.shift = geometry.shift();
        this.next = geometry.consumer();
        this.given = next;
    }

    /// Returns a racy snapshot.
    RingSlots slots() {
        return new RingSlots(memory(), mask, shift);
    }

    int capacity() {
        return mask;
    }

    /// Reads the producer index each time, even if the ring is known to contain completions. If a poll returns fewer
    /// completions than requested, the ring must be empty (`ibv_poll_cq(3)`), because a caller that has armed the queue
    /// may then sleep.
    ///
    /// @return the number of completions that can be taken now
    int begin() {
        requirePresent();
        int producer = (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ALL, head & ADDRESSES);
        // The kernel masks the index before it stores the index (queue_advance_producer), so an unmasked value is
        // invalid. It could not cause accesses outside the mapping, but it could produce completions that do not exist.
        available = (producer & ~mask) == 0 ? (producer - next) & mask : 0;
        return available;
    }

    boolean next(Completion completion) {
        if (available == 0) {
            return false;
        }
        read(next, completion);
        advance(1);
        return true;
    }

    /// Takes up to `max` completions.
    ///
    /// @return the number of completions
    int next(Completion[] completions, int max) {
        int count = Math.min(max, available);
        for (int i = 0; i < count; i++) {
            read(next + i, completions[i]);
        }
        advance(count);
        return count;
    }

    private void read(int index, Completion completion) {
        long at = head + RxeQueueBuf.DATA + ((long) (index & mask) << shift) & ADDRESSES;
        completion.words(
                (long) WORD.get(ALL, at + RxeCqe.WR_ID),
                (long) WORD.get(ALL, at + RxeCqe.STATUS_AND_OPCODE),
                (long) WORD.get(ALL, at + RxeCqe.ERROR_AND_LENGTH),
                (long) WORD.get(ALL, at + RxeCqe.DATA_AND_QUEUE_PAIR),
                (long) WORD.get(ALL, at + RxeCqe.SOURCE_AND_FLAGS),
                (long) WORD.get(ALL, at + RxeCqe.PATH));
    }

    private void advance(int count) {
        next = (next + count) & mask;
        available -= count;
        VarHandle.loadLoadFence(); // if these reads followed an unmapping, `vacated` is visible now
        requirePresent();
    }

    void end() {
        if (next != given) {
            RxeQueueBuf.CONSUMER_INDEX.setRelease(ALL, head & ADDRESSES, next);
            given = next;
        }
    }
}
