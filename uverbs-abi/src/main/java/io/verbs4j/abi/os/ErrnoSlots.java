// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Memory in which system calls store their error number. It is taken and returned without a lock and without
/// allocation, because doorbells use it.
///
/// There are 16 slots. A thread starts its search at the slot that its id selects, so that threads that ring
/// concurrently rarely use the same one. If all are taken, new memory is allocated.
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

    /// Returns the memory of a slot, or new memory for -1.
    static MemorySegment memory(int slot) {
        return slot < 0 ? Arena.ofAuto().allocate(Syscalls.STATE) : SLOTS[slot];
    }

    /// Releases a slot; does nothing for -1.
    static void release(int slot) {
        if (slot >= 0) {
            TAKEN.setRelease(WORDS, slot * STRIDE, 0);
        }
    }
}
