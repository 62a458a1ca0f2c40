// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.ProducerRing;
import io.verbs4j.spi.ring.RingReceiveQueue;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;

/// The producer side of the ring of a receive queue, shared or not. The kernel's consumer side is `check_resource` and
/// the functions that it calls (rxe_resp.c). Confined to one thread at a time. [ProducerRing] explains the accounting
/// of elements.
///
/// There is no doorbell: the kernel reads the ring when a message arrives. In ERR no message arrives; see
/// [RxeQueuePair#flushReceives()].
class ReceiveRing extends RingReceiveQueue {
    /// Maximum sum of the lengths of a receive's buffers, 2^31: the longest message of the specification (IBA vol. 1,
    /// 9.4). The kernel's 32-bit counters could overflow with a larger sum.
    static final long MAX_BYTES = 1L << 31;

    private IndexedProducerRing ring;
    private final int maxScatterGather;
    private final String name;

    /// @param mapping the mapping; stays reachable as long as this object
    /// @param maxScatterGather elements that the kernel accepts in one receive; a receive with more elements would move
    ///     the queue pair to ERR
    /// @param name the ring's name for errors
    ReceiveRing(MemorySegment mapping, int maxScatterGather, String name) {
        var ring = new IndexedProducerRing(mapping, elementBytes(maxScatterGather), name);
        super(ring, maxScatterGather);
        this.ring = ring;
        this.maxScatterGather = maxScatterGather;
        this.name = name;
    }

    /// Replaces the ring by the mapping of a resized ring.
    void remap(MemorySegment resized) {
        IndexedProducerRing former = ring;
        ring = new IndexedProducerRing(resized, elementBytes(maxScatterGather), name);
        moveTo(ring);
        former.vacate("the " + name + " was resized by another thread");
    }

    private static long elementBytes(int maxScatterGather) {
        return RxeRecvWqe.SGE + maxScatterGather * RxeSge.BYTES;
    }

    /// Returns a racy snapshot.
    RingSlots slots() {
        return ring.slots();
    }

    /// Returns whether the kernel has consumed all receives. Thread-safe.
    boolean isEmpty() {
        return ring.isEmpty();
    }

    /// Returns the number of receives in the open batch.
    int pending() {
        return ring.pending();
    }

    @Override
    public int receive(long workRequestId, long address, int length, int lkey) {
        if (length < 0 || (length > 0 && maxScatterGather == 0)) {
            throw WorkRequestErrors.receive(length, length == 0 ? 0 : 1, maxScatterGather, MAX_BYTES);
        }
        IndexedProducerRing ring = this.ring; // one consistent ring for the whole method
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        RxeRecvWqe.WR_ID.set(ALL, at, workRequestId);
        RxeRecvWqe.RESERVED.set(ALL, at, 0);
        RxeRecvWqe.PADDING.set(ALL, at, 0);
        RxeRecvWqe.DMA_LENGTH.set(ALL, at, length);
        RxeRecvWqe.DMA_RESID.set(ALL, at, length);
        RxeRecvWqe.DMA_CUR_SGE.set(ALL, at, 0);
        RxeRecvWqe.DMA_NUM_SGE.set(ALL, at, length == 0 ? 0 : 1);
        RxeRecvWqe.DMA_SGE_OFFSET.set(ALL, at, 0);
        RxeRecvWqe.DMA_RESERVED.set(ALL, at, 0);
        if (length != 0) {
            long sge = at + RxeRecvWqe.SGE;
            RxeSge.ADDR.set(ALL, sge, address);
            RxeSge.LENGTH.set(ALL, sge, length);
            RxeSge.LKEY.set(ALL, sge, lkey);
        }
        return ring.posted();
    }

    @Override
    public int receive(long workRequestId, ScatterGatherList list) {
        int elements = list.size();
        long total = list.totalLength();
        if (elements > maxScatterGather || total > MAX_BYTES) {
            throw WorkRequestErrors.receive(total, elements, maxScatterGather, MAX_BYTES);
        }
        IndexedProducerRing ring = this.ring; // one consistent ring for the whole method
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        RxeRecvWqe.WR_ID.set(ALL, at, workRequestId);
        RxeRecvWqe.RESERVED.set(ALL, at, 0);
        RxeRecvWqe.PADDING.set(ALL, at, 0);
        RxeRecvWqe.DMA_LENGTH.set(ALL, at, (int) total);
        RxeRecvWqe.DMA_RESID.set(ALL, at, (int) total);
        RxeRecvWqe.DMA_CUR_SGE.set(ALL, at, 0);
        RxeRecvWqe.DMA_NUM_SGE.set(ALL, at, elements);
        RxeRecvWqe.DMA_SGE_OFFSET.set(ALL, at, 0);
        RxeRecvWqe.DMA_RESERVED.set(ALL, at, 0);
        for (int i = 0; i < elements; i++) {
            long sge = at + RxeRecvWqe.SGE + i * RxeSge.BYTES;
            RxeSge.ADDR.set(ALL, sge, list.address(i));
            RxeSge.LENGTH.set(ALL, sge, list.length(i));
            RxeSge.LKEY.set(ALL, sge, list.lkey(i));
        }
        return ring.posted();
    }
}
