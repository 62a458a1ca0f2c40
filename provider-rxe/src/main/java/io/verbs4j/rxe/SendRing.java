// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ALL;
import static io.verbs4j.types.WorkRequestOpcode.ATOMIC_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.BIND_MEMORY_WINDOW;
import static io.verbs4j.types.WorkRequestOpcode.FLUSH;
import static io.verbs4j.types.WorkRequestOpcode.LOCAL_INVALIDATE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.ProducerRing;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// The producer side of a send ring; the kernel's consumer side is `rxe_requester` (rxe_req.c) and `rxe_completer`
/// (rxe_comp.c). One thread at a time, but for [#doorbell()].
///
/// [ProducerRing] says how elements come and go, [RxeSendWqe] which of their fields a post must write and why. The
/// kernel may see a batch without a doorbell, if it is still at work; the doorbell only makes sure that it looks.
///
/// [#transfer] with one buffer, which most programs post most of the time, writes its fields itself. All write into the
/// mapping at the slot's offset: a slice of the slot would be checked once and not for each field, but it is an object until
/// the optimizing compiler has seen through it. The other methods share those of [SendWqeWriter], which [#transfer] repeats
/// only because a call more would be one too many for the compiler.
class SendRing extends SendQueueOps {
    private static final int QUEUE_PAIR_NUMBER_BITS = 24;

    private final IndexedProducerRing ring;
    private final SendChecks checks;
    private final RxeSendLimits limits;
    private final IntSupplier doorbell;
    private final int maxScatterGather;

    /// Longest datagram: the port's MTU, which may change while the queue pair lives.
    private volatile int maxDatagram;

    /// @param mapping the mapping; stays reachable as long as this
    /// @param maxDatagram the port's MTU
    /// @param doorbell makes the kernel look; 0, or a negated error number
    SendRing(MemorySegment mapping, RxeSendLimits limits, int maxDatagram, IntSupplier doorbell) {
        this.ring = new IndexedProducerRing(mapping, limits.elementBytes(), "send queue");
        this.checks = new SendChecks(limits.common());
        this.limits = limits;
        this.doorbell = doorbell;
        this.maxScatterGather = limits.common().maxScatterGather();
        this.maxDatagram = maxDatagram;
    }

    /// Takes note of the port's MTU.
    void limitDatagrams(int bytes) {
        maxDatagram = bytes;
    }

    /// Gives up the ring: from now on a work request throws.
    void vacate(String reason) {
        ring.vacate(reason);
    }

    /// A look at it from outside.
    RingSlots slots() {
        return ring.slots();
    }

    /// Work requests of the open batch.
    int pending() {
        return ring.pending();
    }

    @Override
    public int capacity() {
        return ring.capacity();
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
    public void begin() {
        ring.begin();
    }

    @Override
    public int transfer(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        int elements = length == 0 ? 0 : 1;
        checks.transfer(opcode, flags, length, elements);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        RxeSendWqe.WR_ID.set(ALL, at, workRequestId);
        RxeSendWqe.OPCODE.set(ALL, at, opcode);
        RxeSendWqe.SEND_FLAGS.set(ALL, at, flags);
        if (OpcodeSet.has(SendOpcodes.WITH_IMMEDIATE, opcode)) {
            RxeSendWqe.IMM_DATA.set(ALL, at, immediateDataOrKey);
        } else {
            RxeSendWqe.INVALIDATE_RKEY.set(ALL, at, immediateDataOrKey);
        }
        RxeSendWqe.RDMA_REMOTE_ADDR.set(ALL, at, remoteAddress);
        RxeSendWqe.RDMA_RKEY.set(ALL, at, rkey);
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
            long sge = at + RxeSendWqe.PAYLOAD;
            RxeSge.ADDR.set(ALL, sge, localAddress);
            RxeSge.LENGTH.set(ALL, sge, length);
            RxeSge.LKEY.set(ALL, sge, lkey);
        }
        return ring.posted();
    }

    @Override
    public int transfer(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        int elements = list.size();
        long total = list.totalLength();
        checks.transfer(opcode, flags, list);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, opcode, workRequestId, flags, immediateDataOrKey, remoteAddress, (int) total,
                elements);
        SendWqeWriter.rdma(at, remoteAddress, rkey);
        SendWqeWriter.elements(at, list, elements);
        return ring.posted();
    }

    @Override
    public int transferInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        checks.transferInline(opcode, flags, source, offset, length);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        // The copy comes first: it is what may still fail, if the source is closed or belongs to another thread.
        MemorySegment.copy(source, offset, ALL, at + RxeSendWqe.PAYLOAD, length);
        int inline = flags | SendFlags.INLINE;
        SendWqeWriter.head(at, opcode, workRequestId, inline, immediateDataOrKey, remoteAddress, length, 0);
        SendWqeWriter.rdma(at, remoteAddress, rkey);
        return ring.posted();
    }

    @Override
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        int elements = length == 0 ? 0 : 1;
        checks.datagram(opcode, flags, length, elements, maxDatagram);
        int destination = destination(addressHandle, remoteQueuePair);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, opcode, workRequestId, flags, immediateData, 0, length, elements);
        SendWqeWriter.datagram(at, remoteQueuePair, remoteQkey, destination);
        if (elements != 0) {
            SendWqeWriter.element(at, localAddress, length, lkey);
        }
        return ring.posted();
    }

    @Override
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        int elements = list.size();
        long total = list.totalLength();
        checks.datagram(opcode, flags, list, maxDatagram);
        int destination = destination(addressHandle, remoteQueuePair);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, opcode, workRequestId, flags, immediateData, 0, (int) total, elements);
        SendWqeWriter.datagram(at, remoteQueuePair, remoteQkey, destination);
        SendWqeWriter.elements(at, list, elements);
        return ring.posted();
    }

    @Override
    public int datagramInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        checks.datagramInline(opcode, flags, source, offset, length, maxDatagram);
        int destination = destination(addressHandle, remoteQueuePair);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        MemorySegment.copy(source, offset, ALL, at + RxeSendWqe.PAYLOAD, length);
        SendWqeWriter.head(at, opcode, workRequestId, flags | SendFlags.INLINE, immediateData, 0, length, 0);
        SendWqeWriter.datagram(at, remoteQueuePair, remoteQkey, destination);
        return ring.posted();
    }

    @Override
    public int atomic(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap) {
        checks.atomic(opcode, flags, remoteAddress);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, opcode, workRequestId, flags, 0, remoteAddress, Long.BYTES, 1);
        RxeSendWqe.ATOMIC_REMOTE_ADDR.set(ALL, at, remoteAddress);
        RxeSendWqe.ATOMIC_COMPARE_ADD.set(ALL, at, compareOrAdd);
        RxeSendWqe.ATOMIC_SWAP.set(ALL, at, swap);
        RxeSendWqe.ATOMIC_RKEY.set(ALL, at, rkey);
        SendWqeWriter.element(at, localAddress, Long.BYTES, lkey);
        return ring.posted();
    }

    @Override
    public int atomicWrite(long workRequestId, int flags, long value, long remoteAddress, int rkey) {
        checks.plain(ATOMIC_WRITE, flags);
        if ((remoteAddress & 7) != 0) {
            throw WorkRequestErrors.unaligned(remoteAddress);
        }
        require(DeviceAttributes.ATOMIC_WRITE, ATOMIC_WRITE, "6.2");
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, ATOMIC_WRITE, workRequestId, flags, 0, remoteAddress, Long.BYTES, 0);
        SendWqeWriter.rdma(at, remoteAddress, rkey);
        ALL.set(JAVA_LONG, at + RxeSendWqe.PAYLOAD, value);
        return ring.posted();
    }

    @Override
    public int flush(long workRequestId, int flags, long remoteAddress, int length, int rkey, int type, int level) {
        checks.plain(FLUSH, flags);
        if (length < 0 || type < 1 || type > 3 || level < 0 || level > 1) {
            throw WorkRequestErrors.flush(length, type, level);
        }
        if ((type & 1) != 0) {
            require(DeviceAttributes.FLUSH_GLOBAL, FLUSH, "6.2");
        }
        if ((type & 2) != 0) {
            require(DeviceAttributes.FLUSH_PERSISTENT, FLUSH, "6.2");
        }
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        // The number of bytes to flush travels as that of the payload, of which there is none.
        SendWqeWriter.head(at, FLUSH, workRequestId, flags, 0, remoteAddress, length, 0);
        RxeSendWqe.FLUSH_REMOTE_ADDR.set(ALL, at, remoteAddress);
        RxeSendWqe.FLUSH_RKEY.set(ALL, at, rkey);
        RxeSendWqe.FLUSH_TYPE.set(ALL, at, (byte) type);
        RxeSendWqe.FLUSH_LEVEL.set(ALL, at, (byte) level);
        return ring.posted();
    }

    @Override
    public int localInvalidate(long workRequestId, int flags, int key) {
        checks.plain(LOCAL_INVALIDATE, flags);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, LOCAL_INVALIDATE, workRequestId, flags, key, 0, 0, 0);
        return ring.posted();
    }

    @Override
    public int bindMemoryWindow(
            long workRequestId,
            int flags,
            int currentKey,
            int newKey,
            int regionKey,
            long address,
            long length,
            int accessFlags) {
        checks.plain(BIND_MEMORY_WINDOW, flags);
        if ((currentKey ^ newKey) >>> 8 != 0) {
            throw WorkRequestErrors.windowKey(currentKey, newKey);
        }
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        SendWqeWriter.head(at, BIND_MEMORY_WINDOW, workRequestId, flags, 0, 0, 0, 0);
        RxeSendWqe.MW_ADDR.set(ALL, at, address);
        RxeSendWqe.MW_LENGTH.set(ALL, at, length);
        RxeSendWqe.MW_MR_LKEY.set(ALL, at, regionKey);
        RxeSendWqe.MW_MW_RKEY.set(ALL, at, currentKey);
        RxeSendWqe.MW_RKEY.set(ALL, at, newKey);
        RxeSendWqe.MW_ACCESS.set(ALL, at, accessFlags);
        return ring.posted();
    }

    @Override
    public SendTemplate prepare(Consumer<SendQueueOps> encode) {
        return RxeSendTemplate.encode(this, checks, limits, maxDatagram, encode);
    }

    @Override
    public int post(SendTemplate template) {
        RxeSendTemplate ours = template(template);
        checks.destinationless();
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        ours.copyTo(at);
        return ring.posted();
    }

    @Override
    public int postDatagram(
            SendTemplate template, ProviderAddressHandle addressHandle, int remoteQueuePair, int remoteQkey) {
        RxeSendTemplate ours = template(template);
        int mtu = maxDatagram;
        if (limits.type() != QueuePairType.UD || ours.length() > mtu) {
            throw WorkRequestErrors.datagram(limits.common(), ours.opcode(), ours.length(), mtu);
        }
        int destination = destination(addressHandle, remoteQueuePair);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        ours.copyTo(at);
        SendWqeWriter.datagram(at, remoteQueuePair, remoteQkey, destination);
        return ring.posted();
    }

    private RxeSendTemplate template(SendTemplate template) {
        if (template instanceof RxeSendTemplate ours && ours.isFor(this)) {
            return ours;
        }
        throw WorkRequestErrors.template();
    }

    @Override
    public int publish() {
        return ring.publish();
    }

    @Override
    public void abandon() {
        ring.abandon();
    }

    @Override
    public int doorbell() {
        return doorbell.getAsInt();
    }

    private void require(long capability, int opcode, String since) {
        if ((limits.deviceCapabilities() & capability) == 0) {
            throw WorkRequestErrors.notSupported(limits.common(), opcode, since);
        }
    }

    /// The number by which the kernel knows the destination. Never 0, which would make it take an address vector from
    /// the element (`rxe_get_av`, rxe_av.c), where none is.
    private int destination(ProviderAddressHandle addressHandle, int remoteQueuePair) {
        if (!(addressHandle instanceof RxeAddressHandle handle) || handle.domain() != limits.domain()) {
            throw RxeAddressHandle.refusal(limits.domain(), addressHandle);
        }
        if (remoteQueuePair >>> QUEUE_PAIR_NUMBER_BITS != 0) {
            throw WorkRequestErrors.queuePairNumber(remoteQueuePair);
        }
        int number = handle.number();
        if (number == 0) {
            throw RxeAddressHandle.refusal(limits.domain(), addressHandle);
        }
        return number;
    }
}
