// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The slots of a completion queue, 64 bytes each. A slot contains a completion if the owner bit in its last byte is
/// that of this round. The device writes that byte last, and this class reads it first, with acquire. Confined to one
/// thread at a time.
final class CompletionRing {
    static final int SLOT = 64;

    private static final int SLOT_SHIFT = Integer.numberOfTrailingZeros(SLOT);
    /// The last word contains operation, queue pair, counter, kind and owner.
    private static final int LAST = SLOT - Long.BYTES;

    private static final VarHandle WORD =
            JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle().withInvokeExactBehavior();

    private static final int OWNER = 1;
    private static final int KIND_SHIFT = 4;
    private static final int INVALID = 15;
    private static final int RESIZED = 5;

    private final QueueMemory memory;
    private final int mask;

    /// @param count a power of two
    CompletionRing(QueueMemory memory, int count) {
        this.memory = memory;
        this.mask = count - 1;
        for (int i = 0; i < count; i++) {
            ALL.set(JAVA_BYTE, slot(i) + SLOT - 1, (byte) (INVALID << KIND_SHIFT));
        }
    }

    QueueMemory memory() {
        return memory;
    }

    int mask() {
        return mask;
    }

    /// Returns the address of a slot.
    long slot(int index) {
        return memory.address() + ((long) (index & mask) << SLOT_SHIFT) & ADDRESSES;
    }

    /// Returns the last word of a slot, in network order.
    long last(int index) {
        return (long) WORD.getAcquire(ALL, slot(index) + LAST);
    }

    /// Returns whether a slot with this last word contains a completion.
    boolean isOurs(long last, int index) {
        int ownerNow = (index & mask + 1) == 0 ? 0 : OWNER;
        return ((int) last & OWNER) == ownerNow && kind(last) != INVALID;
    }

    /// Returns the kind of a completion.
    static int kind(long last) {
        return (int) last >>> KIND_SHIFT & 0xf;
    }

    /// Removes waiting completions of one queue pair; later ones move down to the place where the device continues.
    ///
    /// @param first the next slot to be polled
    /// @return the number of removed completions
    int remove(int first, Mlx5QueuePair queuePair) {
        int end = first;
        while (end - first <= mask && isOurs(last(end), end)) {
            end++;
        }
        int removed = 0;
        for (int i = end - 1; i - first >= 0; i--) {
            if (queuePair.drops(slot(i), last(i))) {
                removed++;
            } else if (removed != 0) {
                move(slot(i), slot(i + removed), ALL.get(JAVA_BYTE, slot(i + removed) + SLOT - 1) & OWNER);
            }
        }
        return removed;
    }

    private static void move(long from, long to, int owner) {
        MemorySegment.copy(ALL, from, ALL, to, SLOT);
        byte kindAndOwner = ALL.get(JAVA_BYTE, to + SLOT - 1);
        ALL.set(JAVA_BYTE, to + SLOT - 1, (byte) ((kindAndOwner & ~OWNER) | owner));
    }

    /// Copies waiting completions to another ring, one slot further, because the device's end mark occupies one. The
    /// mark follows all waiting completions; without it, nothing can be copied safely.
    ///
    /// @param first the next slot to be polled
    /// @return whether the mark exists
    boolean copyTo(CompletionRing other, int first) {
        for (int i = first; i - first <= mask; i++) {
            long last = last(i);
            if (!isOurs(last, i)) {
                return false;
            }
            if (kind(last) == RESIZED) {
                return true;
            }
            move(slot(i), other.slot(i + 1), (i + 1 & other.mask + 1) == 0 ? 0 : OWNER);
        }
        return false;
    }
}
