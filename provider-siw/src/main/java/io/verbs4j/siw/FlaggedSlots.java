// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.types.RingReading;
import java.lang.foreign.MemorySegment;

/// A racy snapshot of a mapped ring, by the flags of its elements. Valid elements are in the ring. The oldest element
/// is the first valid one after an invalid one.
///
/// @param ring the mapping
/// @param slots a power of two
/// @param stride bytes of an element
/// @param flags offset of the flags in an element
record FlaggedSlots(MemorySegment ring, int slots, long stride, long flags) {
    /// Returns the state of the ring. Its values may be mutually inconsistent.
    RingReading read() {
        int fill = 0;
        int oldest = 0;
        boolean before = valid(slots - 1);
        for (int slot = 0; slot < slots; slot++) {
            boolean now = valid(slot);
            if (now) {
                fill++;
                if (!before) {
                    oldest = slot;
                }
            }
            before = now;
        }
        if (fill == 0) {
            return new RingReading(slots, 0, 0, 0, 0);
        }
        long id = (long) Elements.WORD.getAcquire(ring, oldest * stride + Elements.ID);
        return new RingReading(slots, fill, (oldest + fill) & (slots - 1), oldest, id);
    }

    private boolean valid(int slot) {
        return ((byte) Elements.BYTE.getAcquire(ring, slot * stride + flags) & Elements.VALID) != 0;
    }
}
