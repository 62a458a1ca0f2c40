// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.ProducerRing;
import io.verbs4j.spi.ring.RingReceiveQueue;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;

/// The producer side of the ring of a receive queue, shared or not. The kernel's consumer side is `siw_rqe_get`
/// (siw_qp_rx.c). Confined to one thread at a time. [FlaggedProducerRing] explains the ownership of elements. There is
/// no doorbell: the kernel reads the ring when a message arrives.
final class SiwReceiveRing extends RingReceiveQueue {
    /// Maximum sum of the lengths of a receive's buffers, because the kernel counts in an `int`.
    static final long MAX_BYTES = Integer.MAX_VALUE;

    private final FlaggedProducerRing ring;
    private final int maxScatterGather;

    /// Takes over a ring.
    ///
    /// @param mapping the mapping; stays reachable as long as this object
    /// @param slots a power of two
    /// @param maxScatterGather elements that one receive may have
    SiwReceiveRing(MemorySegment mapping, int slots, int maxScatterGather) {
        var ring = new FlaggedProducerRing(mapping, slots, Elements.RECEIVE_BYTES);
        super(ring, maxScatterGather);
        this.ring = ring;
        this.maxScatterGather = maxScatterGather;
    }

    /// Takes all receives on behalf of the kernel.
    void takeAll(FlaggedProducerRing.Taker taker) {
        ring.takeAll(taker);
    }

    /// Returns a racy snapshot.
    FlaggedSlots slots() {
        return ring.slots();
    }

    @Override
    public int receive(long workRequestId, long address, int length, int lkey) {
        int elements = length == 0 ? 0 : 1;
        if (length < 0 || elements > maxScatterGather) {
            throw WorkRequestErrors.receive(length, elements, maxScatterGather, MAX_BYTES);
        }
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        at &= ADDRESSES;
        Elements.WORD.set(ALL, at + Elements.ID, workRequestId);
        Elements.WORD.set(ALL, at + Elements.HEAD, Elements.head(0, elements, 0, 0));
        Elements.WORD.set(ALL, at + Elements.RECEIVE_SGE + Elements.LADDR, address);
        Elements.WORD.set(
                ALL, at + Elements.RECEIVE_SGE + Elements.LENGTH_AND_KEY, Elements.lengthAndKey(length, lkey));
        return ring.posted();
    }

    @Override
    public int receive(long workRequestId, ScatterGatherList list) {
        int elements = list.size();
        long total = list.totalLength();
        if (elements > maxScatterGather || total > MAX_BYTES) {
            throw WorkRequestErrors.receive(total, elements, maxScatterGather, MAX_BYTES);
        }
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        at &= ADDRESSES;
        Elements.WORD.set(ALL, at + Elements.ID, workRequestId);
        Elements.WORD.set(ALL, at + Elements.HEAD, Elements.head(0, elements, 0, 0));
        buffers(at + Elements.RECEIVE_SGE, list, elements, true);
        return ring.posted();
    }

    /// Writes the buffers of a list.
    ///
    /// @param first address of the element's first buffer
    /// @param count the checked number of buffers; another thread may change that of the list
    /// @param empty whether to write empty buffers, too
    /// @return the number of written buffers
    static int buffers(long first, ScatterGatherList list, int count, boolean empty) {
        int written = 0;
        for (int i = 0; i < count; i++) {
            int length = list.length(i);
            if (length != 0 || empty) {
                long at = (first + written * Elements.SGE_BYTES) & ADDRESSES;
                Elements.WORD.set(ALL, at + Elements.LADDR, list.address(i));
                Elements.WORD.set(ALL, at + Elements.LENGTH_AND_KEY, Elements.lengthAndKey(length, list.lkey(i)));
                written++;
            }
        }
        return written;
    }
}
