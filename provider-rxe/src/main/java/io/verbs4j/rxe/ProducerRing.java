// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.types.PostResult;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The indices of a ring that we fill and the kernel empties: the discipline that send and receive rings share.
/// Confined to one thread at a time: the caller's lock also makes the plain fields here visible to the next thread.
///
/// Two orderings carry the elements, each by one access of ours and one of the kernel's (rxe_queue.h):
///
/// | what must hold | we | the kernel |
/// |---|---|---|
/// | an element that the kernel sees is complete | `producer_index` with release, after the batch | `smp_load_acquire` in `queue_get_producer` |
/// | a slot is written only when the kernel is done with it | `consumer_index` with acquire, before the slot | `smp_store_release` in `queue_advance_consumer` |
///
/// Our own index is not read back from the ring after the start, and the kernel's is read only when the ring looks
/// half full, so that the cache line which the kernel writes is not fetched more often than needed.
///
/// Every slot but one is in one of three states, so `outstanding + batch + free == mask` at all times:
///
/// ```
///        consumer              next - batch       next
///           │  outstanding          │    batch     │   free, and the slot that stays empty
///  ─────────┴───────────────────────┴──────────────┴───────────────────────────────────────
/// ```
final class ProducerRing {
    /// What [#claim()] says of a full ring.
    static final long FULL = -1;

    /// Keeps the memory at [#head] mapped.
    private final MemorySegment ring;

    private final long head;
    private final int mask;
    private final int shift;

    /// Next slot to write.
    private int next;

    /// The kernel's index as last seen.
    private int consumer;

    /// Elements that are published and, as far as we know, not consumed.
    private int outstanding;

    /// Elements of the open batch.
    private int batch;

    /// Slots that can be written without asking the kernel again.
    private int free;

    /// Why there is no ring any more.
    private volatile @Nullable String lost;

    /// @param ring the mapping
    /// @param elementBytes what the largest element needs
    /// @param name the ring's name for errors
    ProducerRing(MemorySegment ring, long elementBytes, String name) {
        RingGeometry geometry = RingGeometry.of(ring, elementBytes, name);
        this.ring = ring;
        this.head = ring.address();
        this.mask = geometry.mask();
        this.shift = geometry.shift();
        this.next = geometry.producer();
        this.consumer = geometry.consumer();
        this.outstanding = geometry.count();
        this.free = mask - outstanding;
    }

    /// Gives up the ring: from now on [#claim()] and [#publish()] throw. To be called before the ring is unmapped, so that a
    /// thread that has a batch open without a lock learns that nobody sees it.
    ///
    /// @param reason what the exception says
    void lose(String reason) {
        lost = reason;
        outstanding = mask;
        batch = 0;
        free = 0;
    }

    /// A look at it from outside.
    RingSlots slots() {
        return new RingSlots(ring, mask, shift);
    }

    int capacity() {
        return mask;
    }

    /// Elements of the open batch.
    int pending() {
        return batch;
    }

    /// Starts a batch behind what is published. Asks the kernel already when half of the slots are not known to be free: the
    /// posts that follow then hardly ever have to, and are compiled as straight code.
    void begin() {
        abandon();
        if (free <= mask >> 1) {
            makeRoom();
        }
    }

    /// Finds the next slot. It is taken only by [#posted()]. Whatever other threads do to the plain fields here meanwhile, it
    /// is one of this ring.
    ///
    /// @return its address, or [#FULL]
    long claim() {
        if (free == 0 && !makeRoom()) {
            return FULL;
        }
        return head + RxeQueueBuf.DATA + ((long) (next & mask) << shift) & ADDRESSES;
    }

    /// Adds the slot that [#claim()] found to the batch.
    ///
    /// @return [PostResult#POSTED]
    int posted() {
        next = (next + 1) & mask;
        free--;
        batch++;
        return PostResult.POSTED;
    }

    /// Asks the kernel how far it has got.
    ///
    /// An index that no kernel would store frees nothing: one that is not masked, or that claims to have consumed more
    /// than was published. So whatever the peer does, the free slots never reach into the open batch.
    private boolean makeRoom() {
        requireNotLost();
        int seen = (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ALL, head & ADDRESSES);
        int consumed = (seen - consumer) & mask;
        if ((seen & ~mask) != 0 || consumed == 0 || consumed > outstanding) {
            return false;
        }
        consumer = seen;
        outstanding -= consumed;
        free += consumed;
        return true;
    }

    /// Gives the batch to the kernel by one release store.
    ///
    /// @return how many elements it had
    int publish() {
        int count = batch;
        if (count != 0) {
            RxeQueueBuf.PRODUCER_INDEX.setRelease(ALL, head & ADDRESSES, next);
            outstanding += count;
            batch = 0;
        }
        requireNotLost();
        return count;
    }

    private void requireNotLost() {
        String reason = lost;
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }

    /// Takes the batch back; its slots are written again by later ones.
    void abandon() {
        next = (next - batch) & mask;
        free += batch;
        batch = 0;
    }
}
