// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.RingEvent.PostedRequest;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A racy snapshot of a mapped ring, for tracing and observers. This class reads only the indices from the header, and
/// masks them where it uses them. The ring's own class has checked the shape ([RingGeometry]).
///
/// @param ring the mapping
/// @param mask slots - 1
/// @param shift binary logarithm of the distance between two slots; never 0
record RingSlots(MemorySegment ring, int mask, int shift) {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    /// Maximum number of attempts to read stable indices. After the last attempt, the values are reported as read.
    private static final int ATTEMPTS = 8;

    int producer() {
        return (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ring, 0L);
    }

    int consumer() {
        return (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ring, 0L);
    }

    /// Reads the ring's state.
    ///
    /// The kernel and another thread move the indices concurrently. Therefore, this method reads the consumer index
    /// before and after the producer index, until the consumer index is unchanged. Otherwise, the two indices might
    /// never have been valid at the same time.
    ///
    /// @param workRequestId offset of the identifier in an element
    /// @return null if the ring is already unmapped, for example by a resize, or its header is invalid
    @Nullable
    RingReading read(long workRequestId) {
        int consumer = consumer();
        for (int attempt = 1; true; attempt++) {
            int producer = producer();
            int fill = (producer - consumer) & mask;
            long id = fill == 0 ? 0 : (long) WORD.getAcquire(ring, offset(consumer) + workRequestId);
            int after = consumer();
            // Zero pages replace an unmapped ring (MappedRing). If the reads above found zeroes, this word is zero,
            // too.
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

    /// Decodes the contents of a slot.
    @FunctionalInterface
    interface Reader {
        /// Decodes a copy of a slot.
        PostedRequest read(int slot, long address, byte[] bytes);
    }

    /// Returns the work requests of an unpublished batch, whose slots the kernel does not change yet.
    ///
    /// @param count number of work requests in the batch
    List<PostedRequest> unpublished(int count, Reader reader) {
        int from = producer();
        return IntStream.range(0, count)
                .map(i -> after(from, i))
                .mapToObj(slot -> reader.read(slot, address(slot), copy(slot)))
                .toList();
    }

    /// Returns whether a number is in a slot that the kernel has not consumed, or in a slot of the open batch.
    ///
    /// @param field offset of the number in a slot
    /// @param unpublished number of slots in the open batch
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

    /// Returns whether a work request that the kernel has not consumed binds a memory window.
    ///
    /// @param rkey the window's key; its lowest 8 bits are ignored
    boolean bind(int rkey) {
        int first = consumer();
        int count = (producer() - first) & mask;
        for (int i = 0; i < count; i++) {
            long at = offset(first + i);
            int opcode = ring.get(ValueLayout.JAVA_INT, at + RxeSendWqe.OPCODE_OFFSET);
            int key = ring.get(ValueLayout.JAVA_INT, at + RxeSendWqe.MW_MW_RKEY_OFFSET);
            if (opcode == WorkRequestOpcode.BIND_MEMORY_WINDOW && (key ^ rkey) >>> 8 == 0) {
                return true;
            }
        }
        return false;
    }

    /// Returns the slot that is `count` slots after another one.
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
