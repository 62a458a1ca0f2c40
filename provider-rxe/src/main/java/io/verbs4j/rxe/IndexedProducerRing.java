// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.ProducerRing;
import java.lang.foreign.MemorySegment;

/// A ring that the program fills and the kernel empties. The ring's header contains an index of each side.
///
/// Two pairs of ordered accesses transfer the elements (rxe_queue.h):
///
/// | invariant | this class | the kernel |
/// |---|---|---|
/// | the kernel reads complete elements only | `producer_index` with release, after the batch | `smp_load_acquire` in `queue_get_producer` |
/// | the program overwrites a slot only after the kernel has consumed it | `consumer_index` with acquire, before the slot | `smp_store_release` in `queue_advance_consumer` |
///
/// One slot always stays empty. Only the constructor reads the program's own index from the ring.
final class IndexedProducerRing extends ProducerRing {
    private final long head;
    private final int mask;
    private final int shift;

    /// @param ring the mapping
    /// @param elementBytes size of the largest element
    /// @param name the ring's name for errors
    IndexedProducerRing(MemorySegment ring, long elementBytes, String name) {
        this(ring, RingGeometry.of(ring, elementBytes, name));
    }

    private IndexedProducerRing(MemorySegment ring, RingGeometry geometry) {
        super(ring, geometry.mask(), geometry.mask(), geometry.producer(), geometry.count());
        this.head = ring.address();
        this.mask = geometry.mask();
        this.shift = geometry.shift();
    }

    /// Returns a racy snapshot.
    RingSlots slots() {
        return new RingSlots(memory(), mask, shift);
    }

    /// Returns whether the kernel has consumed all elements. Thread-safe.
    boolean isEmpty() {
        return (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ALL, head & ADDRESSES)
                == (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ALL, head & ADDRESSES);
    }

    @Override
    protected long slot(int slot) {
        return head + RxeQueueBuf.DATA + ((long) (slot & mask) << shift) & ADDRESSES;
    }

    /// Ignores an unmasked index, which a kernel never stores.
    @Override
    protected int taken(int oldest, int outstanding) {
        int consumer = (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ALL, head & ADDRESSES);
        return (consumer & ~mask) == 0 ? (consumer - oldest) & mask : 0;
    }

    @Override
    protected void reveal(int first, int count) {
        RxeQueueBuf.PRODUCER_INDEX.setRelease(ALL, head & ADDRESSES, (first + count) & mask);
    }
}
