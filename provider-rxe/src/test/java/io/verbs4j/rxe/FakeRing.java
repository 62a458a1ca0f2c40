// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The kernel's side of one ring, based on rxe_queue.h and rxe_queue.c, with its own offsets, so that it detects a
/// wrong layout of the provider. Like the kernel, it keeps a private copy of its own index and only mirrors it into the
/// ring.
///
/// Memory that the kernel has not written is filled with [#DIRT]. There are guards before and after the ring, filled
/// with [#POISON]. Rings are accessed by address, so nothing else would detect an access outside
/// ([#assertGuardsUntouched()]).
final class FakeRing {
    static final byte DIRT = (byte) 0xA5;
    static final byte POISON = 0x5C;

    /// The identifier of a completion that was read from a guard.
    static final long POISON_ID = 0x5C5C5C5C5C5C5C5CL;

    static final long HEADER_BYTES = 384;
    static final long LOG2_ELEM_SIZE = 0;
    static final long INDEX_MASK = 4;
    static final long PRODUCER_INDEX = 128;
    static final long CONSUMER_INDEX = 256;

    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final long PAGE = 4096;

    /// The ring between its guards.
    private final MemorySegment surroundings;

    private final MemorySegment memory;
    private final int mask;
    private final int shift;

    /// The kernel's copy of its own index: the producer's for a completion ring, otherwise the consumer's.
    private int index;

    private FakeRing(MemorySegment surroundings, int slots, int shift, int index) {
        this.surroundings = surroundings;
        this.memory = surroundings.asSlice(guard(shift), HEADER_BYTES + ((long) slots << shift));
        this.mask = slots - 1;
        this.shift = shift;
        this.index = index;
    }

    /// Size of a guard: a page, or a slot if that is larger.
    private static long guard(int shift) {
        return Math.max(PAGE, 1L << shift);
    }

    /// A ring without elements.
    ///
    /// @param arena a shared one, like that of a mapping
    /// @param slots a power of two
    /// @param shift binary logarithm of the distance between slots
    /// @param start initial value of both indices
    static FakeRing empty(Arena arena, int slots, int shift, int start) {
        long bytes = 2 * guard(shift) + HEADER_BYTES + ((long) slots << shift);
        var ring = new FakeRing(arena.allocate(bytes, PAGE).fill(POISON), slots, shift, start);
        MemorySegment memory = ring.memory.fill(DIRT);
        memory.set(JAVA_INT, LOG2_ELEM_SIZE, shift);
        memory.set(JAVA_INT, INDEX_MASK, slots - 1);
        memory.set(JAVA_INT, PRODUCER_INDEX, start);
        memory.set(JAVA_INT, CONSUMER_INDEX, start);
        return ring;
    }

    /// Checks that no memory before or after the ring was written.
    void assertGuardsUntouched() {
        long guard = guard(shift);
        assertPoisoned("before", surroundings.asSlice(0, guard));
        assertPoisoned("behind", surroundings.asSlice(guard + memory.byteSize()));
    }

    private static void assertPoisoned(String where, MemorySegment guard) {
        // All bytes are the same if each equals the previous one.
        long same = guard.asSlice(1).mismatch(guard.asSlice(0, guard.byteSize() - 1));
        assertThat(guard.get(JAVA_BYTE, 0) == POISON && same == -1)
                .as("untouched memory %s the ring; other bytes from %d on", where, same + 1)
                .isTrue();
    }

    /// Returns the memory that the provider would map.
    MemorySegment memory() {
        return memory;
    }

    int mask() {
        return mask;
    }

    int stride() {
        return 1 << shift;
    }

    /// Offset of a slot.
    long slot(int slot) {
        return HEADER_BYTES + ((long) (slot & mask) << shift);
    }

    /// All bytes of a slot.
    byte[] bytes(int slot) {
        return memory.asSlice(slot(slot), stride()).toArray(JAVA_BYTE);
    }

    /// Writes into a slot, as the kernel does while it processes it.
    void scribble(int slot, byte[] element) {
        MemorySegment.copy(MemorySegment.ofArray(element), 0, memory, slot(slot), element.length);
    }

    /// Returns the producer index in the ring.
    int producer() {
        return (int) INT.getAcquire(memory, PRODUCER_INDEX);
    }

    /// Returns the consumer index in the ring.
    int consumer() {
        return (int) INT.getAcquire(memory, CONSUMER_INDEX);
    }

    // The kernel as consumer: send and receive rings (QUEUE_TYPE_FROM_CLIENT).

    /// Returns the number of waiting elements (`queue_count`). The kernel masks the index that it reads, and would not
    /// notice one beyond the ring. Other readers of the ring, such as `isEmpty`, compare it unmasked.
    int waiting() {
        int producer = producer();
        if ((producer & ~mask) != 0) {
            throw new AssertionError("the producer index " + producer + " is beyond the mask " + mask);
        }
        return (producer - index) & mask;
    }

    /// The next slot to consume.
    int head() {
        return index;
    }

    /// Releases the next slot (`queue_advance_consumer`).
    void consume() {
        index = (index + 1) & mask;
        INT.setRelease(memory, CONSUMER_INDEX, index);
    }

    /// Takes the next element and returns its bytes. Afterwards the slot is [#DIRT] again, as if the kernel had
    /// processed it.
    byte[] take() {
        byte[] element = bytes(index);
        memory.asSlice(slot(index), stride()).fill(DIRT);
        consume();
        return element;
    }

    // The kernel as producer: completion rings (QUEUE_TYPE_TO_CLIENT).

    /// Returns whether a completion would be lost (`queue_full`).
    boolean full() {
        return ((index + 1 - consumer()) & mask) == 0;
    }

    /// Adds an element unless the ring is full (`rxe_cq_post`). The rest of the slot is unchanged.
    ///
    /// @return whether there was room
    boolean produce(byte[] element) {
        if (full()) {
            return false;
        }
        scribble(index, element);
        index = (index + 1) & mask;
        INT.setRelease(memory, PRODUCER_INDEX, index);
        return true;
    }

    /// Returns the number of elements in the ring, seen from either side.
    ///
    /// @param producing whether this is a completion ring
    int used(boolean producing) {
        return producing ? (index - consumer()) & mask : waiting();
    }

    /// Moves the waiting elements to the start of another ring and uses that from now on, like `resize_finish`.
    ///
    /// @param producing whether this is a completion ring
    FakeRing resize(Arena arena, int slots, boolean producing) {
        FakeRing other = empty(arena, slots, shift, 0);
        int first = producing ? consumer() : index;
        int count = used(producing);
        for (int i = 0; i < count; i++) {
            MemorySegment.copy(memory, slot(first + i), other.memory, other.slot(i), stride());
        }
        other.memory.set(JAVA_INT, PRODUCER_INDEX, count);
        other.index = producing ? count : 0;
        memory.set(JAVA_INT, CONSUMER_INDEX, (first + count) & mask);
        return other;
    }

    // A peer that is not a kernel.

    /// Overwrites the producer index with any value.
    void forgeProducer(int value) {
        INT.setRelease(memory, PRODUCER_INDEX, value);
    }

    /// Overwrites the consumer index with any value.
    void forgeConsumer(int value) {
        INT.setRelease(memory, CONSUMER_INDEX, value);
    }
}
