// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.ProducerRing;
import io.verbs4j.spi.ring.RingSendQueue;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.SendLimits;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;

/// The producer side of a send ring. The kernel's consumer side is `siw_activate_tx_from_sq` (siw_qp.c). Confined to
/// one thread at a time, except for [#doorbell()]. [FlaggedProducerRing] explains the ownership of elements.
///
/// The kernel copies an element before processing, and uses fields of the copy without checks. Therefore, each post
/// writes all fields of its operation.
final class SiwSendRing extends RingSendQueue {
    /// The operations. The kernel accepts an inline payload only with send and write (`siw_activate_tx_from_sq`,
    /// siw_qp.c). With any other operation, the kernel ends the connection.
    private static final SendLimits.Operations OPERATIONS = new SendLimits.Operations(
            OpcodeSet.of(
                    WorkRequestOpcode.SEND,
                    WorkRequestOpcode.SEND_WITH_INVALIDATE,
                    WorkRequestOpcode.RDMA_WRITE,
                    WorkRequestOpcode.RDMA_READ),
            0,
            OpcodeSet.of(WorkRequestOpcode.SEND, WorkRequestOpcode.RDMA_WRITE),
            0,
            0,
            SiwRefusals::operation);

    /// siw's number of each operation (`enum siw_opcode`), four bits each, indexed by the operation.
    private static final long OPCODES = opcodes();

    private final FlaggedProducerRing ring;
    private final SendChecks checks;

    /// Flags that every element gets: `SIGNALLED` if every send produces a completion, otherwise none.
    private final int always;

    /// Takes over a ring.
    ///
    /// @param mapping the mapping; stays reachable as long as this object
    /// @param slots a power of two
    /// @param signalAll whether every send creates a completion
    /// @param doorbell rings the doorbell; returns 0, or a negated errno
    SiwSendRing(MemorySegment mapping, int slots, SendLimits limits, boolean signalAll, IntSupplier doorbell) {
        var ring = new FlaggedProducerRing(mapping, slots, Elements.SEND_BYTES);
        super(ring, doorbell);
        this.ring = ring;
        this.checks = new SendChecks(limits);
        this.always = signalAll ? Elements.SIGNALLED : 0;
    }

    /// Returns the limits of a send queue.
    static SendLimits limits(int maxScatterGather, int maxInlineData, long maxMessage) {
        return new SendLimits(
                SiwProviderFactory.NAME,
                QueuePairType.RC,
                OPERATIONS,
                SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED,
                maxScatterGather,
                1,
                maxInlineData,
                maxMessage);
    }

    private static long opcodes() {
        return 1L << (4 * WorkRequestOpcode.RDMA_READ)
                | 3L << (4 * WorkRequestOpcode.SEND)
                | 5L << (4 * WorkRequestOpcode.SEND_WITH_INVALIDATE);
    }

    static int number(int opcode) {
        return (int) (OPCODES >>> (4 * opcode)) & 15;
    }

    /// Converts the flags fence, signaled and solicited to siw's numbers, and adds [#always].
    int flags(int flags) {
        return ((flags & (SendFlags.SIGNALED | SendFlags.SOLICITED)) << 1)
                | ((flags & SendFlags.FENCE) << 4)
                | always;
    }

    /// Takes all work requests on behalf of the kernel.
    void takeAll(FlaggedProducerRing.Taker taker) {
        ring.takeAll(taker);
    }

    /// Returns a racy snapshot.
    FlaggedSlots slots() {
        return ring.slots();
    }

    @Override
    protected RuntimeException unsupported(int opcode) {
        return SiwRefusals.operation(QueuePairType.RC, opcode);
    }

    @Override
    public int maxScatterGather() {
        return checks.limits().maxScatterGather();
    }

    @Override
    public int maxInlineData() {
        return checks.limits().maxInlineData();
    }

    /// Writes a buffer even for an empty read, because the kernel requires one.
    @Override
    public int post(SendRequest request, long address, int length, int lkey) {
        int opcode = request.opcode();
        int flags = request.flags();
        checks.transfer(opcode, flags, length, length == 0 ? 0 : 1);
        requireNoFencedRead(opcode, flags);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        at &= ADDRESSES;
        int elements = length == 0 && opcode != WorkRequestOpcode.RDMA_READ ? 0 : 1;
        head(at, request, opcode, flags(flags), elements);
        Elements.WORD.set(ALL, at + Elements.SEND_SGE + Elements.LADDR, address);
        Elements.WORD.set(
                ALL, at + Elements.SEND_SGE + Elements.LENGTH_AND_KEY, Elements.lengthAndKey(length, lkey));
        return ring.posted();
    }

    /// Omits empty buffers, except in a read. If data follows an empty buffer, the kernel dereferences a null pointer
    /// and crashes (`siw_tx_hdt`, siw_qp_tx.c), because `siw_check_sgl_tx` looks up no memory for an empty buffer.
    @Override
    public int post(SendRequest request, ScatterGatherList list) {
        int opcode = request.opcode();
        int flags = request.flags();
        int elements = list.size();
        checks.transferList(opcode, flags, list.totalLength(), elements);
        if (opcode == WorkRequestOpcode.RDMA_READ && elements == 0) {
            return post(request, 0, 0, 0);
        }
        requireNoFencedRead(opcode, flags);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        at &= ADDRESSES;
        boolean keepsEmpty = opcode == WorkRequestOpcode.RDMA_READ;
        int written = SiwReceiveRing.buffers(at + Elements.SEND_SGE, list, elements, keepsEmpty);
        head(at, request, opcode, flags(flags), written);
        return ring.posted();
    }

    @Override
    public int postInline(SendRequest request, MemorySegment source, long offset, int length) {
        int opcode = request.opcode();
        int flags = request.flags();
        checks.transferInline(opcode, flags, source, offset, length);
        long at = ring.claim();
        if (at == ProducerRing.FULL) {
            return PostResult.QUEUE_FULL;
        }
        at &= ADDRESSES;
        // The copy comes first, because it may fail: the source may be closed or belong to another thread.
        MemorySegment.copy(source, offset, ALL, at + Elements.INLINE_DATA, length);
        head(at, request, opcode, flags(flags) | Elements.INLINE, 1);
        Elements.WORD.set(ALL, at + Elements.SEND_SGE + Elements.LADDR, 0L);
        Elements.WORD.set(ALL, at + Elements.SEND_SGE + Elements.LENGTH_AND_KEY, Elements.lengthAndKey(length, 0));
        return ring.posted();
    }

    /// Writes the fields before the buffers.
    ///
    /// @param opcode the checked opcode; another thread may change that of the request
    /// @param flags siw's flags
    private static void head(long at, SendRequest request, int opcode, int flags, int elements) {
        int key = opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE ? request.immediateDataOrKey() : request.remoteKey();
        long word = Elements.head(flags, elements, number(opcode), key);
        Elements.WORD.set(ALL, at + Elements.ID, request.workRequestId());
        Elements.WORD.set(ALL, at + Elements.HEAD, word);
        Elements.WORD.set(ALL, at + Elements.RADDR, request.remoteAddress());
    }

    private static void requireNoFencedRead(int opcode, int flags) {
        if (opcode == WorkRequestOpcode.RDMA_READ && (flags & SendFlags.FENCE) != 0) {
            throw SiwRefusals.fencedRead();
        }
    }
}
