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

/// A racy snapshot of a mapped ring, for tracing and observers. Only the indices are read from the header, and masked
/// where they are used; the shape is the one checked by the ring's own class ([RingGeometry]).
///
/// @param ring the mapping
/// @param mask slots - 1
/// @param shift binary logarithm of the distance between two slots; never 0
record RingSlots(MemorySegment ring, int mask, int shift) {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    /// Attempts to read stable indices; a busy ring is reported as it is afterwards.
    private static final int ATTEMPTS = 8;

    int producer() {
        return (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ring, 0L);
    }

    int consumer() {
        return (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ring, 0L);
    }

    /// The ring at this moment.
    ///
    /// The kernel and another thread move the indices concurrently. The consumer index is read before and after the
    /// producer index, until it is unchanged; otherwise the two might never have been valid together.
    ///
    /// @param workRequestId where an element has its identifier
    /// @return null if the ring was unmapped meanwhile, as by a resize, or its header is invalid
    @Nullable
    RingReading read(long workRequestId) {
        int consumer = consumer();
        for (int attempt = 1; true; attempt++) {
            int producer = producer();
            int fill = (producer - consumer) & mask;
            long id = fill == 0 ? 0 : (long) WORD.getAcquire(ring, offset(consumer) + workRequestId);
            int after = consumer();
            // Zero pages replace an unmapped ring (MappedRing); a reader of zeroes finds this word zero, too.
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

    /// Reads the contents of a slot.
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
