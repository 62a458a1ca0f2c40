// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The kernel's side of a ring in memory (`struct rxe_queue`, rxe_queue.h). It trusts only its own index and size, and
/// masks the other side's index.
public final class Ring {
    /// Size of a page. Rings are mapped in whole pages.
    private static final int PAGE = 4096;
    /// Minimum size of an element.
    private static final int CACHE_LINE = 64;

    private static final long LOG2_ELEMENT = Formats.QUEUE.offset("log2_elem_size");
    private static final long MASK = Formats.QUEUE.offset("index_mask");
    private static final long PRODUCER = Formats.QUEUE.offset("producer_index");
    private static final long CONSUMER = Formats.QUEUE.offset("consumer_index");
    private static final long DATA = Formats.QUEUE.offset("data");

    private final MemorySegment memory;
    private final long base;
    private final int mask;
    private final int shift;
    private final long ours;
    private final long theirs;
    private int index;

    /// @param elements minimum capacity
    /// @param bytes size of an element
    /// @param producing whether the kernel is the producer
    Ring(int elements, int bytes, boolean producing) {
        shift = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, CACHE_LINE) - 1);
        mask = powerOfTwo(elements + 1) - 1;
        long length = DATA + ((mask + 1L) << shift);
        memory = Arena.ofAuto().allocate((length + PAGE - 1) / PAGE * PAGE, PAGE);
        base = memory.address();
        ours = base + (producing ? PRODUCER : CONSUMER);
        theirs = base + (producing ? CONSUMER : PRODUCER);
        memory.set(ValueLayout.JAVA_INT, LOG2_ELEMENT, shift);
        memory.set(ValueLayout.JAVA_INT, MASK, mask);
    }

    private static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    /// Returns the memory that a process maps.
    public MemorySegment memory() {
        return memory;
    }

    /// Returns the number of elements that it can hold.
    public int capacity() {
        return mask;
    }

    int index() {
        return index;
    }

    int next(int position) {
        return position + 1 & mask;
    }

    /// Returns the other side's index.
    int peer() {
        return Memory.acquire(theirs) & mask;
    }

    boolean isEmpty() {
        return peer() == index;
    }

    boolean isFull() {
        return (index + 1 & mask) == peer();
    }

    /// Returns the address of an element.
    long element(int position) {
        return base + DATA + ((long) position << shift);
    }

    /// Returns the address of the element at the kernel's index.
    long head() {
        return element(index);
    }

    /// Advances the kernel's index by one element.
    void advance() {
        index = index + 1 & mask;
        Memory.release(ours, index);
    }

    /// Returns the number of elements to consume, if the kernel is the consumer.
    int waiting() {
        return peer() - index & mask;
    }

    /// Returns the number of unread completions, if the kernel is the producer.
    int held() {
        return index - peer() & mask;
    }

    /// Moves the remaining elements to the start of a new ring, and makes this one look empty (`resize_finish`,
    /// rxe_queue.c).
    void moveTo(Ring other, boolean producing) {
        int from = producing ? peer() : index;
        int until = producing ? index : peer();
        int moved = 0;
        for (int at = from; at != until; at = next(at)) {
            Memory.copy(element(at), other.element(moved++), 1L << Math.min(shift, other.shift));
        }
        if (producing) {
            other.index = moved;
            Memory.release(other.ours, moved);
            Memory.release(theirs, index);
        } else {
            Memory.release(other.theirs, moved);
            index = until;
            Memory.release(ours, index);
        }
    }

    /// Clears all elements, as a move to RESET does.
    void clear() {
        memory.asSlice(DATA).fill((byte) 0);
    }
}
