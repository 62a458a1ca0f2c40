// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A doorbell register of the device: two halves that take words of 8 bytes, by turns. Several queue pairs may share one, and
/// need no lock: the turn is taken by one atomic addition. On x86-64 that is a locked instruction, before which all earlier
/// stores are done, so that the device that hears the doorbell finds queue and doorbell record; the fence behind the store
/// sends it on its way. Java has no barrier that does the same elsewhere, which is why [Mlx5ProviderFactory] refuses other
/// processors.
final class DoorbellRegister {
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle TURN = turn();

    /// Keeps the page mapped.
    private final MemorySegment page;

    private final long address;
    private final int half;

    @SuppressWarnings("unused") // by its handle
    private int turn;

    /// @param page the mapped page, or what stands in for it
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

    /// Rings. For any thread.
    ///
    /// @param word as it stands in memory
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
