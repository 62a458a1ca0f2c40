// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The kernel's side of a ring in memory (`struct rxe_queue`, rxe_queue.h). It believes its own index and shape only, and of
/// the other side's index the bits that the mask leaves.
public final class Ring {
    /// Rings are mapped in whole pages.
    private static final int PAGE = 4096;
    /// An element takes a cache line at least.
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

    /// @param elements that it must hold
    /// @param bytes of an element
    /// @param producing whether the kernel fills it
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

    /// Returns what a process maps.
    public MemorySegment memory() {
        return memory;
    }

    /// Elements that it can hold.
    public int capacity() {
        return mask;
    }

    int index() {
        return index;
    }

    int next(int position) {
        return position + 1 & mask;
    }

    /// The other side's index.
    int peer() {
        return Memory.acquire(theirs) & mask;
    }

    boolean isEmpty() {
        return peer() == index;
    }

    boolean isFull() {
        return (index + 1 & mask) == peer();
    }

    /// Address of an element.
    long element(int position) {
        return base + DATA + ((long) position << shift);
    }

    /// Address of the element at our index.
    long head() {
        return element(index);
    }

    /// Passes our index over one element.
    void advance() {
        index = index + 1 & mask;
        Memory.release(ours, index);
    }

    /// Elements of a ring that we consume.
    int waiting() {
        return peer() - index & mask;
    }

    /// Completions that wait in a ring that we fill.
    int held() {
        return index - peer() & mask;
    }

    /// Moves what waits to a new ring's start, and makes this one look empty (`resize_finish`, rxe_queue.c).
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
