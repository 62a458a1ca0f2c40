// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.ProducerRing;
import io.verbs4j.spi.ring.RingSendQueue;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;

/// The producer side of a send ring. The kernel's consumer side is `rxe_requester` (rxe_req.c) and `rxe_completer`
/// (rxe_comp.c). Confined to one thread at a time, except for [#doorbell()].
///
/// [ProducerRing] explains the accounting of elements. [RxeSendWqe] explains the fields that a post must write. If the
/// kernel is still processing the ring, it may read a batch before the doorbell. The doorbell guarantees that the
/// kernel reads the batch.
///
/// Most programs mostly call [#post(SendRequest, long, int, int)] of a connected queue pair. That method writes the
/// fields itself, because one more call would exceed the compiler's limits. The other methods use [SendWqeWriter]. All
/// of them write into the mapping by address. A slice of the slot would be an allocated object until the optimizing
/// compiler eliminates it.
class SendRing extends RingSendQueue {
    private static final int QUEUE_PAIR_NUMBER_BITS = 24;

    private final IndexedProducerRing ring;
    private final SendChecks checks;
    private final RxeSendLimits limits;
    private final int maxScatterGather;
    private final int transfers;
    private final boolean datagrams;

    /// Longest datagram: the port's MTU, which may change during the queue pair's lifetime.
    private volatile int maxDatagram;

    /// @param mapping the mapping; stays reachable as long as this object
    /// @param maxDatagram the port's MTU
    /// @param doorbell rings the doorbell; returns 0, or a negated errno
    SendRing(MemorySegment mapping, RxeSendLimits limits, int maxDatagram, IntSupplier doorbell) {
        var ring = new IndexedProducerRing(mapping, limits.elementBytes(), "send queue");
        super(ring, doorbell);
        this.ring = ring;
        this.checks = new SendChecks(limits.common());
        this.limits = limits;
        this.maxScatterGather = limits.common().maxScatterGather();
        this.transfers = limits.common().operations().transfers();
        this.datagrams = limits.type() == QueuePairType.UD;
        this.maxDatagram = maxDatagram;
    }

    /// Sets the longest datagram to the port's MTU.
    void limitDatagrams(int bytes) {
        maxDatagram = bytes;
    }

    /// Returns a racy snapshot.
    RingSlots slots() {
        return ring.slots();
    }

    /// Returns the number of work requests in the open batch.
    int pending() {
        return ring.pending();
    }

    @Override
    public int maxScatterGather() {
        return maxScatterGather;
    }

    @Override
    public int maxInlineData() {
        return limits.common().maxInlineData();
    }

    @Override
    public int post(SendRequest request, long address, int length, int lkey) {
        int opcode = request.opcode();
        if (!OpcodeSet.has(transfers, opcode)) {
            return postOther(request, opcode, address, length, lkey);
        }
        int flags = request.flags();
        long remoteAddress = request.remoteAddress();
        int elements = length == 0 ? 0 : 1;
        checks.transfer(opcode, flags, length, elements);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        RxeSendWqe.WR_ID.set(ALL, at, request.workRequestId());
        RxeSendWqe.OPCODE.set(ALL, at, opcode);
        RxeSendWqe.SEND_FLAGS.set(ALL, at, flags);
        SendWqeWriter.data(at, opcode, request.immediateDataOrKey());
        RxeSendWqe.RDMA_REMOTE_ADDR.set(ALL, at, remoteAddress);
        RxeSendWqe.RDMA_RKEY.set(ALL, at, request.remoteKey());
        RxeSendWqe.STATUS.set(ALL, at, 0);
        RxeSendWqe.STATE.set(ALL, at, RxeSendWqe.STATE_POSTED);
        RxeSendWqe.IOVA.set(ALL, at, remoteAddress);
        RxeSendWqe.HAS_RD_ATOMIC.set(ALL, at, 0);
        RxeSendWqe.DMA_LENGTH.set(ALL, at, length);
        RxeSendWqe.DMA_RESID.set(ALL, at, length);
        RxeSendWqe.DMA_CUR_SGE.set(ALL, at, 0);
        RxeSendWqe.DMA_NUM_SGE.set(ALL, at, elements);
        RxeSendWqe.DMA_SGE_OFFSET.set(ALL, at, 0);
        if (elements != 0) {
            SendWqeWriter.element(at, address, length, lkey);
        }
        return ring.posted();
    }

    /// A separate method, because the compiler inlines no method of more than 325 bytes of bytecode (`FreqInlineSize`).
    private int postOther(SendRequest request, int opcode, long address, int length, int lkey) {
        return OpcodeSet.has(SendOpcodes.ATOMICS, opcode)
                ? atomic(request, opcode, address, length, lkey)
                : datagram(request, opcode, address, length, lkey);
    }

    private int datagram(SendRequest request, int opcode, long address, int length, int lkey) {
        int flags = request.flags();
        int elements = length == 0 ? 0 : 1;
        checks.datagram(opcode, flags, length, elements, maxDatagram);
        int destination = destination(request);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, request, opcode, flags, 0, length, elements);
        SendWqeWriter.datagram(at, request, destination);
        if (elements != 0) {
            SendWqeWriter.element(at, address, length, lkey);
        }
        return ring.posted();
    }

    private int atomic(SendRequest request, int opcode, long address, int length, int lkey) {
        int flags = request.flags();
        long remoteAddress = request.remoteAddress();
        checks.atomic(opcode, flags, remoteAddress, length);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, request, opcode, flags, remoteAddress, Long.BYTES, 1);
        RxeSendWqe.ATOMIC_REMOTE_ADDR.set(ALL, at, remoteAddress);
        RxeSendWqe.ATOMIC_COMPARE_ADD.set(ALL, at, request.operand());
        RxeSendWqe.ATOMIC_SWAP.set(ALL, at, request.swap());
        RxeSendWqe.ATOMIC_RKEY.set(ALL, at, request.remoteKey());
        SendWqeWriter.element(at, address, Long.BYTES, lkey);
        return ring.posted();
    }

    @Override
    public int post(SendRequest request, ScatterGatherList list) {
        int opcode = request.opcode();
        int flags = request.flags();
        int elements = list.size();
        long total = list.totalLength();
        int destination = 0;
        if (datagrams) {
            checks.datagramList(opcode, flags, total, elements, maxDatagram);
            destination = destination(request);
        } else {
            checks.transferList(opcode, flags, total, elements);
        }
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, request, opcode, flags, request.remoteAddress(), (int) total, elements);
        SendWqeWriter.target(at, request, datagrams, destination);
        SendWqeWriter.elements(at, list, elements);
        return ring.posted();
    }

    @Override
    public int postInline(SendRequest request, MemorySegment source, long offset, int length) {
        int opcode = request.opcode();
        int flags = request.flags();
        int destination = 0;
        if (datagrams) {
            checks.datagramInline(opcode, flags, source, offset, length, maxDatagram);
            destination = destination(request);
        } else {
            checks.transferInline(opcode, flags, source, offset, length);
        }
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        // The copy comes first, because it may fail: the source may be closed or belong to another thread.
        MemorySegment.copy(source, offset, ALL, at + RxeSendWqe.PAYLOAD, length);
        SendWqeWriter.head(at, request, opcode, flags | SendFlags.INLINE, request.remoteAddress(), length, 0);
        SendWqeWriter.target(at, request, datagrams, destination);
        return ring.posted();
    }

    @Override
    public int post(SendRequest request) {
        int opcode = request.opcode();
        int flags = request.flags();
        checks.plain(opcode, flags);
        PlainOperations.check(request, opcode, limits);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        PlainOperations.write(at, request, opcode, flags);
        return ring.posted();
    }

    /// Returns the kernel's number for the destination. The number is never 0. With 0, the kernel would read an address
    /// vector from the element (`rxe_get_av`, rxe_av.c), which contains none.
    private int destination(SendRequest request) {
        ProviderAddressHandle addressHandle = request.addressHandle();
        if (!(addressHandle instanceof RxeAddressHandle handle) || handle.domain() != limits.domain()) {
            throw RxeAddressHandle.refusal(limits.domain(), addressHandle);
        }
        if (request.remoteQueuePair() >>> QUEUE_PAIR_NUMBER_BITS != 0) {
            throw WorkRequestErrors.queuePairNumber(request.remoteQueuePair());
        }
        int number = handle.number();
        if (number == 0) {
            throw RxeAddressHandle.refusal(limits.domain(), addressHandle);
        }
        return number;
    }
}
