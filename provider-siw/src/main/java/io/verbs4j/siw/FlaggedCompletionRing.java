// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ring.VacatableRing;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The consumer side of a completion ring. The kernel's producer side is `siw_sqe_complete` and `siw_rqe_complete`
/// (siw_qp.c). Confined to one thread at a time, except for [#arm()] and [#isArmed()].
///
/// | invariant | this class | the kernel |
/// |---|---|---|
/// | the program reads complete completions only | the word with `flags` with acquire, before the rest | `smp_wmb`, then `flags` |
/// | the kernel overwrites a slot only after the program has read it | `flags` with release, after the rest | `READ_ONCE` of `flags`, in its check for a full ring before it writes the element |
/// | the kernel raises an event, or the program finds the completion | the control word, then a full fence, then `flags` | `flags`, then the control word by `test_and_clear` (`siw_cq_notify`) |
///
/// The program returns each slot separately. If the ring is full, the kernel drops the completion and raises an error
/// event.
final class FlaggedCompletionRing extends VacatableRing {
    private static final int ANY = 3;

    /// siw's status of flushed work (`SIW_WC_WR_FLUSH_ERR`).
    private static final int FLUSHED = 4;

    /// Maps `enum siw_wc_status` to `enum ib_wc_status`, like the kernel's `map_cqe_status` (siw_cq.c).
    private static final int[] STATUS = {0, 1, 4, 2, 5, 7, 8, 10, 9, 21};

    /// Maps `enum siw_opcode` to `enum ib_wc_opcode`, like the kernel's `map_wc_opcode` (siw_cq.c).
    private static final int[] OPCODE = {1, 2, 2, 0, 0, 0, 4, 3, 128};

    private final long start;
    private final int mask;
    private final long control;

    /// Next slot to read.
    private int next;

    /// Takes over a ring without completions.
    ///
    /// @param ring the mapping: the slots, followed by the control word
    /// @param slots a power of two
    FlaggedCompletionRing(MemorySegment ring, int slots) {
        super(ring);
        this.start = ring.address();
        this.mask = slots - 1;
        this.control = start + slots * Elements.COMPLETION_BYTES;
    }

    /// Returns the size of the mapping.
    static long bytes(int slots) {
        return slots * Elements.COMPLETION_BYTES + SiwStructs.CQ_CTRL.size();
    }

    /// Returns a racy snapshot.
    FlaggedSlots slots() {
        return new FlaggedSlots(memory(), mask + 1, Elements.COMPLETION_BYTES, Elements.COMPLETION_HEAD);
    }

    int capacity() {
        return mask + 1;
    }

    /// Returns 1 if a completion is waiting, otherwise 0.
    int begin() {
        requirePresent();
        long at = start + (next & mask) * Elements.COMPLETION_BYTES & ADDRESSES;
        return (int) (long) Elements.WORD.getAcquire(ALL, at + Elements.COMPLETION_HEAD) & Elements.VALID;
    }

    boolean next(Completion completion) {
        long at = start + (next & mask) * Elements.COMPLETION_BYTES & ADDRESSES;
        long head = (long) Elements.WORD.getAcquire(ALL, at + Elements.COMPLETION_HEAD);
        if ((head & Elements.VALID) == 0) {
            requirePresent();
            return false;
        }
        long id = (long) Elements.WORD.get(ALL, at + Elements.ID);
        long key = (long) Elements.WORD.get(ALL, at + Elements.INVALIDATED_KEY);
        long queuePair = (long) Elements.WORD.get(ALL, at + Elements.QUEUE_PAIR);
        Elements.BYTE.setRelease(ALL, at + Elements.COMPLETION_HEAD, (byte) 0);
        next = (next + 1) & mask;
        boolean invalidated = (head & Elements.REM_INVAL) != 0;
        completion.set(
                id,
                status((int) (head >>> Elements.STATUS_SHIFT) & 0xffff),
                opcode((int) (head >>> Elements.COMPLETION_OPCODE_SHIFT) & 0xff),
                0,
                (int) (head >>> Elements.BYTES_SHIFT),
                (int) queuePair);
        completion.carried(invalidated ? Completion.WITH_INVALIDATE : 0, invalidated ? (int) key : 0);
        VarHandle.loadLoadFence(); // if these reads followed an unmapping, `vacated` is visible now
        requirePresent();
        return true;
    }

    /// Converts a status. An unknown number is a general error, as in the kernel.
    private static int status(int code) {
        return code < STATUS.length ? STATUS[code] : STATUS[STATUS.length - 1];
    }

    /// Sets the completion of a work request that was posted in ERR, because the kernel does not complete such a work
    /// request.
    ///
    /// @param opcode siw's number
    static void flushed(Completion completion, long workRequestId, int opcode, int queuePair) {
        completion.set(workRequestId, STATUS[FLUSHED], opcode(opcode), 0, 0, queuePair).carried(0, 0);
    }

    /// Converts an opcode. An unknown number gets bit 16 set, so that it differs from the kernel's numbers.
    private static int opcode(int code) {
        return code < OPCODE.length ? OPCODE[code] : (1 << 16) | code;
    }

    /// Arms the queue for any completion. Any thread may call this method. The kernel clears the word when it raises
    /// the event.
    void arm() {
        requirePresent();
        Elements.HALF.setRelease(ALL, control & ADDRESSES, ANY);
        VarHandle.fullFence(); // reads of the ring after this see a completion that raises no event
    }

    /// Returns whether the queue is armed. The kernel disarms the queue when it raises an event. Any thread may call
    /// this method.
    boolean isArmed() {
        return (int) Elements.HALF.getVolatile(ALL, control & ADDRESSES) != 0;
    }
}
