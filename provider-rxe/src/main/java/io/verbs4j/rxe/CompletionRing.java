// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.Completion;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The consumer side of a completion ring; the kernel's producer side is `rxe_cq_post` (rxe_cq.c). Confined to one
/// thread at a time: the caller's lock also makes the plain fields here visible to the next thread.
///
/// Two orderings carry the elements, each by one access of ours and one of the kernel's (rxe_queue.h):
///
/// | what must hold | we | the kernel |
/// |---|---|---|
/// | a completion that we see is complete | `producer_index` with acquire, before the elements | copies the element, then `smp_store_release` in `queue_advance_producer` |
/// | a slot is overwritten only when we have read it | `consumer_index` with release, after the elements | `smp_load_acquire` in `queue_get_consumer`, for the full test before the copy |
final class CompletionRing {
    private final MemorySegment ring;
    private final int mask;
    private final int shift;

    /// Next slot to read. Ahead of what [#given] says within a batch.
    private int next;

    /// Our index as the kernel has it.
    private int given;

    /// Completions from [#next] on that are known to be there.
    private int available;

    /// Why there is no ring any more.
    private @Nullable String lost;

    /// @param ring the mapping, of a shared arena
    CompletionRing(MemorySegment ring) {
        RingGeometry geometry = RingGeometry.of(ring, RxeCqe.BYTES, "completion queue");
        this.ring = ring;
        this.mask = geometry.mask();
        this.shift = geometry.shift();
        this.next = geometry.consumer();
        this.given = next;
    }

    /// Gives up the ring: from now on [#begin()] throws.
    ///
    /// @param reason what the exception says
    void lose(String reason) {
        lost = reason;
        available = 0;
        given = next;
    }

    int capacity() {
        return mask;
    }

    /// Looks at the producer index only when what it said last is used up, so that the cache line which the kernel
    /// writes is not fetched more often than needed.
    ///
    /// @return how many completions can be taken now
    int begin() {
        if (available == 0) {
            if (lost != null) {
                throw new IllegalStateException(lost);
            }
            int producer = (int) RxeQueueBuf.PRODUCER_INDEX.getAcquire(ring, 0L);
            // The kernel masks before it stores (queue_advance_producer). Anything else is not its index; believing it
            // could not lead out of the mapping, but to completions that do not exist.
            available = (producer & ~mask) == 0 ? (producer - next) & mask : 0;
        }
        return available;
    }

    boolean next(Completion completion) {
        if (available == 0) {
            return false;
        }
        MemorySegment cqe = ring;
        long base = RxeQueueBuf.DATA + ((long) next << shift);
        int flags = (int) RxeCqe.WC_FLAGS.get(cqe, base);
        completion.workRequestId = (long) RxeCqe.WR_ID.get(cqe, base);
        completion.status = (int) RxeCqe.STATUS.get(cqe, base);
        completion.opcode = (int) RxeCqe.OPCODE.get(cqe, base);
        completion.vendorError = (int) RxeCqe.VENDOR_ERR.get(cqe, base);
        completion.byteLength = (int) RxeCqe.BYTE_LEN.get(cqe, base);
        completion.immediateDataOrKey = (flags & Completion.WITH_IMMEDIATE) != 0
                ? (int) RxeCqe.IMM_DATA.get(cqe, base)
                : (int) RxeCqe.INVALIDATE_RKEY.get(cqe, base);
        completion.queuePairNumber = (int) RxeCqe.QP_NUM.get(cqe, base);
        completion.sourceQueuePair = (int) RxeCqe.SRC_QP.get(cqe, base);
        completion.flags = flags;
        completion.pkeyIndex = (short) RxeCqe.PKEY_INDEX.get(cqe, base) & 0xffff;
        completion.sourceLid = (short) RxeCqe.SLID.get(cqe, base) & 0xffff;
        completion.serviceLevel = (byte) RxeCqe.SL.get(cqe, base) & 0xff;
        completion.pathBits = (byte) RxeCqe.DLID_PATH_BITS.get(cqe, base) & 0xff;
        next = (next + 1) & mask;
        available--;
        return true;
    }

    void end() {
        if (next != given) {
            RxeQueueBuf.CONSUMER_INDEX.setRelease(ring, 0L, next);
            given = next;
        }
    }
}
