// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.ProducerRing;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A ring that we fill and the kernel empties, in which each element has a flag that says whose it is. There are no indices:
/// both sides count for themselves.
///
/// Two orderings carry the elements, each by one access of ours and one of the kernel's:
///
/// | what must hold | we | the kernel |
/// |---|---|---|
/// | an element that the kernel sees is complete | `flags` with release, after the rest | `READ_ONCE` in `sq_get_next` (siw.h) and `siw_rqe_get` (siw_qp_rx.c), then the copy, which depends on it |
/// | a slot is written only when the kernel is done with it | `flags` with acquire, before the slot | `smp_store_mb` after the copy (`siw_activate_tx_from_sq`, siw_qp.c; `siw_rqe_get`) |
///
/// A batch must appear as a whole, but the kernel starts with whatever is valid. So the flags of a batch are set from its
/// last element to its first, and the kernel, which takes elements in order, meets the first when all are there. Until then
/// an element has its other flags but not `VALID`.
///
/// All slots may be in use.
final class FlaggedProducerRing extends ProducerRing {
    private static final VarHandle PUBLISHED = published();

    private final long start;
    private final int mask;
    private final long stride;

    /// Slot behind the last element that was published, for who takes elements in the kernel's place.
    @SuppressWarnings("unused") // by its handle
    private int published;

    /// Takes over a ring without elements.
    ///
    /// @param ring the mapping
    /// @param slots a power of two, as the kernel rounds it
    /// @param stride bytes of an element
    FlaggedProducerRing(MemorySegment ring, int slots, long stride) {
        super(ring, slots - 1, slots, 0, 0);
        this.start = ring.address();
        this.mask = slots - 1;
        this.stride = stride;
    }

    /// A look at it from outside.
    FlaggedSlots slots() {
        return new FlaggedSlots(memory(), mask + 1, stride, Elements.HEAD);
    }

    @Override
    protected long slot(int slot) {
        return start + (slot & mask) * stride & ADDRESSES;
    }

    @Override
    protected int taken(int oldest, int outstanding) {
        int count = 0;
        while (count < outstanding && !valid(oldest + count)) {
            count++;
        }
        return count;
    }

    private boolean valid(int slot) {
        long at = slot(slot) & ADDRESSES;
        return ((short) Elements.FLAGS.getAcquire(ALL, at + Elements.HEAD) & Elements.VALID) != 0;
    }

    private static VarHandle published() {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(FlaggedProducerRing.class, "published", int.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Takes all elements, oldest first, as the kernel would: for a queue pair in ERR, whose ring the kernel does not look at any
    /// more. One thread at a time, which may be another than the one that posts.
    void takeAll(Taker taker) {
        requirePresent();
        int end = (int) PUBLISHED.getAcquire(this);
        int count = 0;
        while (count <= mask && valid(end - 1 - count)) {
            count++;
        }
        for (int slot = end - count; slot != end; slot++) {
            long at = slot(slot) & ADDRESSES;
            long head = (long) Elements.WORD.get(ALL, at + Elements.HEAD);
            taker.take((long) Elements.WORD.get(ALL, at + Elements.ID), (int) (head >>> Elements.OPCODE_SHIFT) & 0xff);
            Elements.FLAGS.setRelease(ALL, at + Elements.HEAD, (short) 0);
        }
    }

    /// Hears of an element.
    @FunctionalInterface
    interface Taker {
        /// Hears of one.
        ///
        /// @param opcode siw's number
        void take(long workRequestId, int opcode);
    }

    @Override
    protected void reveal(int first, int count) {
        for (int i = count - 1; i >= 0; i--) {
            long at = slot(first + i) & ADDRESSES;
            short flags = (short) Elements.FLAGS.get(ALL, at + Elements.HEAD);
            Elements.FLAGS.setRelease(ALL, at + Elements.HEAD, (short) (flags | Elements.VALID));
        }
        PUBLISHED.setRelease(this, first + count);
    }
}
