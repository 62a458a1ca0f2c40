// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.types.PostResult;
import java.lang.foreign.MemorySegment;

/// A ring that the program fills and the device empties. This class implements the accounting of batches, which all
/// such rings have in common. A subclass implements the device's part: the address of a slot, the device's report of
/// consumed elements, and the publication of a batch. Confined to one thread at a time: the caller's lock also makes
/// the plain fields of this class visible to the next thread.
///
/// Every usable slot is in one of three states, so `outstanding + batch + free == capacity` always holds:
///
/// ```
///         oldest              next - batch       next
///           │  outstanding          │    batch     │   free
///  ─────────┴───────────────────────┴──────────────┴────────────
/// ```
///
/// The ring reads the device's state only when at most half of the slots are known to be free. This avoids fetching
/// the cache lines that the device writes.
public abstract class ProducerRing extends VacatableRing {
    /// Result of [#claim()] when the ring is full.
    public static final long FULL = -1;

    private final int mask;
    private final int capacity;

    /// Next slot to write.
    private int next;

    /// Published elements that are not known to be consumed.
    private int outstanding;

    /// Elements of the open batch.
    private int batch;

    /// Slots that can be written without reading the device's state again.
    private int free;

    /// Takes over a ring.
    ///
    /// @param memory the ring's memory
    /// @param mask slots - 1, all ones
    /// @param capacity maximum number of slots in use, at most `mask + 1`
    /// @param next the next slot to write, 0 to `mask`
    /// @param outstanding published elements before `next` that the device has not taken yet, 0 to `capacity`
    protected ProducerRing(MemorySegment memory, int mask, int capacity, int next, int outstanding) {
        super(memory);
        this.mask = mask;
        this.capacity = capacity;
        this.next = next;
        this.outstanding = outstanding;
        this.free = capacity - outstanding;
    }

    /// Returns the address of a slot. The result must be in the ring, even for an invalid number.
    ///
    /// @param slot 0 to the mask; may be invalid if two threads use the ring without a lock
    protected abstract long slot(int slot);

    /// Reads how many elements the device has taken. Uses acquire semantics, because the slots of these elements are
    /// overwritten afterwards.
    ///
    /// @param oldest slot of the first element that was not consumed at the previous call
    /// @param outstanding number of elements from `oldest` on
    /// @return 0 to `outstanding`; any other number counts as 0
    protected abstract int taken(int oldest, int outstanding);

    /// Publishes a batch to the device, with release semantics, because its elements were written before.
    ///
    /// @param first slot of the batch's first element
    /// @param count number of elements, at least 1
    protected abstract void reveal(int first, int count);

    /// Vacates the ring: from now on, [#claim()] and [#publish()] throw, even in a batch that another thread has open.
    @Override
    public final void vacate(String reason) {
        super.vacate(reason);
        outstanding = capacity;
        batch = 0;
        free = 0;
    }

    /// Returns the number of elements that the ring can hold.
    public final int capacity() {
        return capacity;
    }

    /// Returns the number of elements in the open batch.
    public final int pending() {
        return batch;
    }

    /// Starts a batch after the published elements. If at most half of the slots are known to be free, reads the
    /// device's state. [#claim()] then rarely reads the state, so the compiler optimizes it for the path without such a
    /// read.
    public final void begin() {
        abandon();
        if (free <= capacity >> 1) {
            makeRoom();
        }
    }

    /// Returns the next slot, without taking it: [#posted()] takes it.
    ///
    /// @return the slot's address, or [#FULL]
    public final long claim() {
        if (free == 0 && !makeRoom()) {
            return FULL;
        }
        return slot(next);
    }

    /// Adds the slot that [#claim()] returned to the batch.
    ///
    /// @return [PostResult#POSTED]
    public final int posted() {
        next = (next + 1) & mask;
        free--;
        batch++;
        return PostResult.POSTED;
    }

    /// Reads the device's state. An invalid value frees no slots, so the free slots never overlap the open batch.
    private boolean makeRoom() {
        requirePresent();
        int taken = taken((next - batch - outstanding) & mask, outstanding);
        if (taken <= 0 || taken > outstanding) {
            return false;
        }
        outstanding -= taken;
        free += taken;
        return true;
    }

    /// Publishes the batch to the device.
    ///
    /// @return the number of elements in the batch
    public final int publish() {
        int count = batch;
        if (count != 0) {
            reveal((next - count) & mask, count);
            outstanding += count;
            batch = 0;
        }
        requirePresent();
        return count;
    }

    /// Discards the batch. Later batches overwrite its slots.
    public final void abandon() {
        next = (next - batch) & mask;
        free += batch;
        batch = 0;
    }
}
