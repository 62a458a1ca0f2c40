// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.RingEvent.PostedRequest;
import io.verbs4j.types.RingReading;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A look at a mapped ring from outside, for tracing and for who watches. Only the indices are read from the header,
/// and masked where they are used; the shape is that which the ring's own class has checked ([RingGeometry]).
///
/// @param ring the mapping
/// @param mask slots - 1
/// @param shift binary logarithm of the distance between two slots; never 0
record RingSlots(MemorySegment ring, int mask, int shift) {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    /// A ring whose index moves at each look is as good at one moment as at another.
    private static final int ATTEMPTS = 8;

    int producer() {
        return (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ring, 0L);
    }

    int consumer() {
        return (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ring, 0L);
    }

    /// The ring at this moment.
    ///
    /// The indices are the kernel's and another thread's, and move in that time. The one that takes is read before and
    /// after the other, until it stands still: else the two would never have been true together.
    ///
    /// @param workRequestId where an element has its identifier
    /// @return null if the ring was unmapped in that time, as a resize does, or its header is no longer one
    @Nullable
    RingReading read(long workRequestId) {
        int consumer = consumer();
        for (int attempt = 1; true; attempt++) {
            int producer = producer();
            int fill = (producer - consumer) & mask;
            long id = fill == 0 ? 0 : (long) WORD.getAcquire(ring, offset(consumer) + workRequestId);
            int after = consumer();
            // Zero pages stand where a ring was (MappedRing); whoever has read one of them finds this one zero, too.
            if ((int) RxeQueueBuf.LOG2_ELEM_SIZE.getVolatile(ring, 0L) != shift) {
                return null;
            }
            if (after == consumer || attempt == ATTEMPTS) {
                return ((producer | consumer) & ~mask) == 0 ? new RingReading(mask, fill, producer, consumer, id)
                        : null;
            }
            consumer = after;
        }
    }

    /// Reads what a slot holds.
    @FunctionalInterface
    interface Reader {
        /// Reads a copy of a slot.
        PostedRequest read(int slot, long address, byte[] bytes);
    }

    /// The work requests of a batch that is not published yet, so that the kernel does not work in their slots.
    ///
    /// @param count how many the batch has
    List<PostedRequest> unpublished(int count, Reader reader) {
        int from = producer();
        return IntStream.range(0, count)
                .map(i -> after(from, i))
                .mapToObj(slot -> reader.read(slot, address(slot), copy(slot)))
                .toList();
    }

    /// Returns whether a number is in a slot that the kernel has not passed, or in one of the open batch.
    ///
    /// @param field where in a slot
    /// @param unpublished how many slots the open batch has
    boolean hold(int field, int number, int unpublished) {
        int first = consumer();
        int count = ((producer() - first) & mask) + unpublished;
        for (int i = 0; i < count; i++) {
            if (ring.get(ValueLayout.JAVA_INT, offset(first + i) + field) == number) {
                return true;
            }
        }
        return false;
    }

    /// The slot so many behind another one.
    int after(int slot, int count) {
        return (slot + count) & mask;
    }

    long address(int slot) {
        return ring.address() + offset(slot);
    }

    byte[] copy(int slot) {
        return ring.asSlice(offset(slot), 1L << shift).toArray(ValueLayout.JAVA_BYTE);
    }

    private long offset(int slot) {
        return RxeQueueBuf.DATA + ((long) (slot & mask) << shift);
    }
}
