// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Memory where system calls leave their error number, taken and given back without a lock and without allocation: the
/// doorbell passes here.
///
/// There are 16 slots. A thread starts looking at the one its id selects, so that threads that ring at the same time
/// rarely meet. When all are taken, fresh memory serves.
final class ErrnoSlots {
    private static final int COUNT = 16;
    /// Two cache lines, so that neighbours do not share one and are not fetched together.
    private static final long STRIDE = 128;

    private static final VarHandle TAKEN = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();

    /// One word for each slot, 1 if taken; spaced like the slots.
    private static final MemorySegment WORDS = Arena.global().allocate(COUNT * STRIDE, STRIDE);

    private static final MemorySegment[] SLOTS = new MemorySegment[COUNT];

    static {
        MemorySegment memory = Arena.global().allocate(COUNT * STRIDE, STRIDE);
        for (int slot = 0; slot < COUNT; slot++) {
            SLOTS[slot] = memory.asSlice(slot * STRIDE, Syscalls.STATE);
        }
    }

    private ErrnoSlots() {}

    /// Takes a slot.
    ///
    /// @return its index, for [#memory(int)] and [#release(int)], or -1 if all are taken
    static int take() {
        int first = (int) Thread.currentThread().threadId();
        for (int step = 0; step < COUNT; step++) {
            int slot = first + step & COUNT - 1;
            // Acquire: the last owner's writes to the slot happened before.
            if ((int) TAKEN.compareAndExchangeAcquire(WORDS, slot * STRIDE, 0, 1) == 0) {
                return slot;
            }
        }
        return -1;
    }

    /// The memory of a slot, or fresh memory for -1.
    static MemorySegment memory(int slot) {
        return slot < 0 ? Arena.ofAuto().allocate(Syscalls.STATE) : SLOTS[slot];
    }

    /// Gives a slot back; nothing for -1.
    static void release(int slot) {
        if (slot >= 0) {
            TAKEN.setRelease(WORDS, slot * STRIDE, 0);
        }
    }
}
