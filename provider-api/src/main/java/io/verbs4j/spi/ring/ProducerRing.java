// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.types.PostResult;
import java.lang.foreign.MemorySegment;

/// A ring that the program fills and the device empties. This class implements the accounting of batches, which all
/// such rings have in common. A subclass implements the device's part: the address of a slot, the device's report of
/// consumed elements, and the notification of a batch. Confined to one thread at a time: the caller's lock also makes
/// the plain fields here visible to the next thread.
///
/// Every usable slot is in one of three states, so `outstanding + batch + free == capacity` at all times:
///
/// ```
///         oldest              next - batch       next
///           │  outstanding          │    batch     │   free
///  ─────────┴───────────────────────┴──────────────┴────────────
/// ```
///
/// The device's state is read only when the ring looks half full, so that the cache lines that the device writes are
/// not fetched more often than needed.
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
    /// @param capacity slots that may be in use at the same time, at most `mask + 1`
    /// @param next the next slot to write, 0 to `mask`
    /// @param outstanding published elements before it that are not yet taken, 0 to `capacity`
    protected ProducerRing(MemorySegment memory, int mask, int capacity, int next, int outstanding) {
        super(memory);
        this.mask = mask;
        this.capacity = capacity;
        this.next = next;
        this.outstanding = outstanding;
        this.free = capacity - outstanding;
    }

    /// Returns the address of a slot. The result must be in the ring for any number.
    ///
    /// @param slot 0 to the mask, unless two threads use the ring without a lock
    protected abstract long slot(int slot);

    /// Reads how many elements the device has taken, with acquire: their slots are overwritten afterwards.
    ///
    /// @param oldest slot of the first element that was not consumed at the previous call
    /// @param outstanding number of elements from that one on
    /// @return 0 to `outstanding`; any other number counts as 0
    protected abstract int taken(int oldest, int outstanding);

    /// Publishes a batch to the device, with release: its elements were written before.
    ///
    /// @param first slot of its first element
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

    /// Starts a batch after the published elements. If less than half of the slots are known to be free, it reads the
    /// device's state. The following posts then rarely need to, and are compiled as straight code.
    public final void begin() {
        abandon();
        if (free <= capacity >> 1) {
            makeRoom();
        }
    }

    /// Returns the next slot. Only [#posted()] takes it.
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

    /// Reads the device's state. An invalid value frees no slots. Therefore the free slots never overlap the open
    /// batch, whatever the peer does.
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

    /// Discards the batch; later batches overwrite its slots.
    public final void abandon() {
        next = (next - batch) & mask;
        free += batch;
        batch = 0;
    }
}
