// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.ProducerRing;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A ring that the program fills and the kernel empties. A flag in each element marks the element's owner. There are no
/// indices: each side keeps its own count.
///
/// Two pairs of ordered accesses transfer the elements:
///
/// | invariant | this class | the kernel |
/// |---|---|---|
/// | the kernel reads complete elements only | `flags` with release, after the rest | `READ_ONCE` in `sq_get_next` (siw.h) and `siw_rqe_get` (siw_qp_rx.c), then the copy, which depends on it |
/// | the program overwrites a slot only after the kernel has copied it | `flags` with acquire, before the slot | `smp_store_mb` after the copy (`siw_activate_tx_from_sq`, siw_qp.c; `siw_rqe_get`) |
///
/// The kernel must get a batch as a whole, but it takes each valid element at once. Therefore, this class sets the
/// flags of a batch from the last element to the first. The kernel takes elements in order, so it waits for the first
/// element, which becomes valid last. Until then, an element has its other flags, but not `VALID`.
///
/// All slots may be in use.
final class FlaggedProducerRing extends ProducerRing {
    private static final VarHandle PUBLISHED = published();

    private final long start;
    private final int mask;
    private final long stride;

    /// Number of elements whose publication has at least begun. Written before their flags.
    private int begun;

    /// Number of published elements, for the thread that takes elements on behalf of the kernel.
    @SuppressWarnings("unused") // by its handle
    private int published;

    /// Whether [#takeAll] has found out where the kernel has stopped.
    private boolean stopped;

    /// The oldest element that [#takeAll] has not taken, counted like the published elements.
    private int oldest;

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

    /// Returns a racy snapshot.
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

    /// Takes all elements, oldest first, on behalf of the kernel. For a queue pair in ERR, whose ring the kernel
    /// ignores. Only one thread at a time may call this method, concurrently with the posting thread. Like the kernel,
    /// it takes a batch as a whole, because the batch's first element becomes valid last.
    void takeAll(Taker taker) {
        requirePresent();
        if (!stopped) {
            oldest = oldestLeft();
            stopped = true;
        }
        while (valid(oldest)) {
            long at = slot(oldest) & ADDRESSES;
            long head = (long) Elements.WORD.get(ALL, at + Elements.HEAD);
            taker.take((long) Elements.WORD.get(ALL, at + Elements.ID), (int) (head >>> Elements.OPCODE_SHIFT) & 0xff);
            Elements.FLAGS.setRelease(ALL, at + Elements.HEAD, (short) 0);
            oldest++;
        }
    }

    /// Finds the oldest element that the kernel has left. If another thread is publishing a batch, the batch's last
    /// elements may be valid already. In a full ring, they are just before the oldest one, and do not count.
    private int oldestLeft() {
        int end = (int) PUBLISHED.getAcquire(this);
        int count = 0;
        while (count <= mask && valid(end - 1 - count)) {
            count++;
        }
        return end - Math.min(count, mask + 1 - (begun - end)); // a valid flag makes `begun` of its batch visible
    }

    /// Receives elements.
    @FunctionalInterface
    interface Taker {
        /// Called for each element.
        ///
        /// @param opcode siw's number
        void take(long workRequestId, int opcode);
    }

    @Override
    protected void reveal(int first, int count) {
        begun += count;
        for (int i = count - 1; i >= 0; i--) {
            long at = slot(first + i) & ADDRESSES;
            short flags = (short) Elements.FLAGS.get(ALL, at + Elements.HEAD);
            Elements.FLAGS.setRelease(ALL, at + Elements.HEAD, (short) (flags | Elements.VALID));
        }
        PUBLISHED.setRelease(this, begun);
    }
}
