// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.spi.Completion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// The kernel's end of siw's rings, with the accesses of `siw_qp.c` and `siw_cq.c`. An element has its number twice, in
/// its first field and in a later one: one of which a part is missing is [#TORN].
final class KernelFlags {
    static final int TORN = -1;
    static final int SLOTS = 2;

    /// Memory of the rings in turn. There are many more than states live at a time.
    private static final int RINGS = 1 << 16;

    private static final long RING_BYTES = SLOTS * Elements.SEND_BYTES;
    private static final MemorySegment POOL = Arena.global().allocate(RINGS * RING_BYTES, Long.BYTES);
    private static final AtomicInteger NEXT = new AtomicInteger();

    final MemorySegment memory =
            POOL.asSlice((NEXT.getAndIncrement() & (RINGS - 1)) * RING_BYTES, RING_BYTES).fill((byte) 0);

    private static long sends(int slot) {
        return slot * Elements.SEND_BYTES;
    }

    private static long completions(int slot) {
        return slot * Elements.COMPLETION_BYTES;
    }

    /// Returns whether a send is valid, as `sq_get_next` (siw.h) looks.
    boolean hasSend(int slot) {
        return ((short) Elements.FLAGS.getAcquire(memory, sends(slot) + Elements.HEAD) & Elements.VALID) != 0;
    }

    /// Number of a send.
    int send(int slot) {
        int first = (int) (long) Elements.WORD.get(memory, sends(slot) + Elements.ID);
        int last = (int) (long) Elements.WORD.get(memory, sends(slot) + Elements.SEND_SGE + Elements.LADDR);
        return first == last ? first : TORN;
    }

    /// Takes a send if there is one: how many, and its number.
    void takeOne(II_Result result) {
        if (hasSend(0)) {
            result.r1 = 1;
            result.r2 = send(0);
        }
    }

    /// Takes what there is, in order.
    void takeTwo(III_Result result) {
        if (hasSend(0)) {
            result.r1 = 1;
            result.r2 = send(0);
            if (hasSend(1)) {
                result.r1 = 2;
                result.r3 = send(1);
            }
        }
    }

    /// Writes a send with its flag already set.
    void publishThenWrite(int number) {
        Elements.FLAGS.setRelease(memory, Elements.HEAD, (short) Elements.VALID);
        Elements.WORD.set(memory, Elements.ID, (long) number);
        Elements.WORD.set(memory, Elements.SEND_SGE + Elements.LADDR, (long) number);
    }

    /// Writes what stands beside the flags of a completion.
    void write(int slot, int number) {
        Elements.WORD.set(memory, completions(slot) + Elements.ID, (long) number);
        Elements.WORD.set(memory, completions(slot) + Elements.QUEUE_PAIR, (long) number);
    }

    /// Makes a completion valid. `siw_sqe_complete` has a plain store here (`WRITE_ONCE`), which x86-64 orders after
    /// those before it.
    void complete(int slot) {
        Elements.BYTE.setRelease(memory, completions(slot) + Elements.COMPLETION_HEAD, (byte) Elements.VALID);
    }

    boolean isCompleted(int slot) {
        return ((byte) Elements.BYTE.getAcquire(memory, completions(slot) + Elements.COMPLETION_HEAD) & 1) != 0;
    }

    private static long control() {
        return SLOTS * Elements.COMPLETION_BYTES;
    }

    /// Returns whether the queue is armed, after a full barrier (`smp_store_mb` of the recycled element), as
    /// `siw_cq_notify_now` looks.
    boolean isArmed() {
        VarHandle.fullFence();
        return (int) Elements.HALF.getAcquire(memory, control()) != 0;
    }

    /// Arms without a barrier behind it.
    void armWeakly() {
        Elements.HALF.setRelease(memory, control(), 3);
    }

    /// Number of a completion that was read.
    static int number(Completion completion) {
        int first = (int) completion.workRequestId();
        return first == completion.queuePairNumber() ? first : TORN;
    }
}
