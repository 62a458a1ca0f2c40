// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A doorbell register of the device: two halves that alternately receive words of 8 bytes. Several queue pairs may
/// share one without a lock: one atomic addition selects the half. On x86-64, this is a locked instruction, which
/// completes all earlier stores. Therefore the device sees queue and doorbell record. The fence after the store flushes
/// it. Java has no such barrier for other processors, so [Mlx5ProviderFactory] refuses them.
final class DoorbellRegister {
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle TURN = turn();

    /// Keeps the page mapped.
    private final MemorySegment page;

    private final long address;
    private final int half;

    @SuppressWarnings("unused") // by its handle
    private int turn;

    /// @param page the mapped page, or a substitute
    /// @param offset of the register
    /// @param half bytes of a half; 0 if there is one only
    DoorbellRegister(MemorySegment page, long offset, int half) {
        this.page = page;
        this.address = page.address() + offset;
        this.half = half;
    }

    private static VarHandle turn() {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(DoorbellRegister.class, "turn", int.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Rings the doorbell. Thread-safe.
    ///
    /// @param word in memory order
    void ring(long word) {
        int mine = (int) TURN.getAndAdd(this, 1) & 1;
        WORD.setOpaque(ALL, address + (long) mine * half & ADDRESSES, word);
        VarHandle.fullFence();
    }

    @Override
    public String toString() {
        return "register at 0x" + Long.toHexString(address - page.address());
    }
}
