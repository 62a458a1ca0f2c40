// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;

/// Shape of a mapped ring, read once from the ring's header and checked against the mapping. These fields of the header
/// are not read again, so a later change of the header cannot cause accesses outside the mapping.
///
/// @param mask number of slots - 1, all ones; also the number of elements that the ring can hold
/// @param shift binary logarithm of the distance between two slots, which depends on the kernel's cache line size
/// @param producer the current producer index; not 0 if the ring was used before
/// @param consumer the current consumer index
record RingGeometry(int mask, int shift, int producer, int consumer) {
    /// Slots are at most 1 GiB apart, so their offsets cannot overflow a `long`.
    private static final int MAX_SHIFT = 30;

    /// Elements start with a 64-bit field.
    private static final long ALIGNMENT = Long.BYTES;

    /// Reads and checks the header of a mapped ring.
    ///
    /// @param ring the mapping
    /// @param elementBytes size of the largest element
    /// @param name the ring's name for the error
    /// @throws VerbsException if the header is invalid, because of another driver or another version of the driver's
    ///     ABI
    static RingGeometry of(MemorySegment ring, long elementBytes, String name) {
        long bytes = ring.byteSize();
        if (bytes < RxeQueueBuf.DATA) {
            throw nonsense(name, "the mapping has " + bytes + " bytes, its header alone has " + RxeQueueBuf.DATA);
        }
        if (ring.address() % ALIGNMENT != 0) {
            throw nonsense(name, "it is mapped at an odd address, 0x" + Long.toHexString(ring.address()));
        }
        int mask = (int) RxeQueueBuf.INDEX_MASK.get(ring, 0L);
        int shift = (int) RxeQueueBuf.LOG2_ELEM_SIZE.get(ring, 0L);
        if (mask < 0 || (mask & (mask + 1)) != 0) {
            throw nonsense(name, "index_mask=0x" + Integer.toHexString(mask) + " is not 2^n - 1");
        }
        if (shift < 0 || shift > MAX_SHIFT || 1L << shift < elementBytes) {
            throw nonsense(name, "log2_elem_size=" + shift + " does not fit elements of " + elementBytes + " bytes");
        }
        long needed = RxeQueueBuf.DATA + ((mask + 1L) << shift);
        if (needed > bytes) {
            throw nonsense(
                    name,
                    "index_mask=" + mask + " and log2_elem_size=" + shift + " need " + needed
                            + " bytes, the mapping has " + bytes);
        }
        int producer = (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ring, 0L);
        int consumer = (int) RxeQueueBuf.CONSUMER_INDEX.getAcquire(ring, 0L);
        if ((producer & ~mask) != 0 || (consumer & ~mask) != 0) {
            throw nonsense(
                    name,
                    "producer_index=" + Integer.toUnsignedString(producer) + " or consumer_index="
                            + Integer.toUnsignedString(consumer) + " exceeds index_mask=" + mask);
        }
        return new RingGeometry(mask, shift, producer, consumer);
    }

    /// Returns the number of elements in the ring.
    int count() {
        return (producer - consumer) & mask;
    }

    private static VerbsException nonsense(String name, String what) {
        return new VerbsException("map " + name, Errno.EPROTO, "the kernel's ring header is invalid: " + what);
    }
}
