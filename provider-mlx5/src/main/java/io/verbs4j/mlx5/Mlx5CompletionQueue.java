// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A completion queue.
final class Mlx5CompletionQueue extends ProviderCompletionQueue {
    private static final int NUMBER = 0xffffff;
    private static final int SOLICITED = 1 << 24;

    /// Kinds of completions (`MLX5_CQE_*`).
    private static final int REQUEST = 0;

    private static final int WRITE_IMMEDIATE = 1;
    private static final int RESPONSE_INVALIDATE = 4;
    private static final int REQUEST_ERROR = 13;
    private static final int RESPONSE_ERROR = 14;

    private static final long SHARED = Segments.COMPLETION.offset("srqn_uidx");
    private static final long DATA = Segments.COMPLETION.offset("imm_inval_pkey");
    private static final long BYTES = Segments.COMPLETION.offset("byte_cnt");
    private static final long SOURCE = Segments.COMPLETION.offset("flags_rqpn");
    private static final long LID = Segments.COMPLETION.offset("slid");
    private static final long PATH = Segments.COMPLETION.offset("ml_path");
    private static final long VENDOR = Segments.ERROR.offset("vendor_err_synd");
    private static final long SYNDROME = Segments.ERROR.offset("syndrome");

    private final Mlx5Context context;
    private final int handle;
    private final int number;
    /// Address of the doorbell record. A resize changes the rings, but not the record.
    private final QueueMemory record;

    private CompletionRing ring;
    private int next;
    private int given;
    private volatile @Nullable String lost;
    private @Nullable Mlx5QueuePair latest;
    /// Events that were taken.
    private final AtomicInteger events = new AtomicInteger();

    private Mlx5CompletionQueue(Mlx5Context context, int handle, int number, CompletionRing ring) {
        this.context = context;
        this.handle = handle;
        this.number = number;
        this.ring = ring;
        this.record = ring.memory();
    }

    /// Creates a completion queue. A failed creation leaves nothing behind.
    static Mlx5CompletionQueue create(Mlx5Context context, CompletionQueueRequest request) {
        int count = QueueSizes.completions(request.entries());
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            QueueMemory memory = rollback.make(
                    () -> QueueMemory.allocate((long) count * CompletionRing.SLOT), QueueMemory::release);
            var ring = new CompletionRing(memory, count);
            MemorySegment wanted = CommandStructs.CREATE_CQ.allocate(arena);
            CommandStructs.CREATE_CQ
                    .view(wanted)
                    .set("buf_addr", memory.address())
                    .set("db_addr", memory.record())
                    .set("cqe_size", CompletionRing.SLOT);
            MemorySegment answer = CommandStructs.CREATE_CQ_ANSWER.allocate(arena);
            int handle = new CreatedObjects(context.channel(), rollback)
                    .completionQueue(request.command(count - 1), new DriverData(wanted, answer))
                    .handle();
            int number = CommandStructs.CREATE_CQ_ANSWER.view(answer).getInt("cqn");
            var queue = new Mlx5CompletionQueue(context, handle, number, ring);
            rollback.keep();
            return queue;
        }
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int capacity() {
        return ring.mask();
    }

    @Override
    public int begin() {
        requireNotLost();
        return ring.isOurs(ring.last(next), next) ? 1 : 0;
    }

    /// Drops completions of destroyed queue pairs.
    @Override
    public boolean next(Completion completion) {
        while (true) {
            long last = ring.last(next);
            if (!ring.isOurs(last, next)) {
                requireNotLost();
                return false;
            }
            long at = ring.slot(next);
            next++;
            if (translate(at, last, completion)) {
                requireNotLost();
                return true;
            }
        }
    }

    private boolean translate(long at, long last, Completion completion) {
        int queuePairNumber = (int) (last >>> Integer.SIZE) & NUMBER;
        int counter = (int) last >>> Short.SIZE;
        int kind = CompletionRing.kind(last);
        Mlx5QueuePair queuePair = queuePair(queuePairNumber);
        if (kind == REQUEST) {
            if (queuePair == null) {
                return false;
            }
            SendBlocks blocks = queuePair.blocks();
            int operation = (int) (last >>> 56);
            int bytes = WireOpcodes.hasResult(operation)
                    ? WireOpcodes.isAtomic(operation) ? Long.BYTES : (int) Segments.INT.get(ALL, at + BYTES)
                    : 0;
            int opcode = WireOpcodes.completion(operation, blocks.kind(counter));
            long identifier = blocks.identifier(counter);
            blocks.retire(counter);
            completion.set(identifier, 0, opcode, 0, bytes, queuePairNumber).carried(0, 0).path(0, 0, 0, 0, 0);
            return true;
        }
        if (kind >= WRITE_IMMEDIATE && kind <= RESPONSE_INVALIDATE) {
            return received(at, kind, counter, queuePairNumber, queuePair, completion);
        }
        return (kind == REQUEST_ERROR || kind == RESPONSE_ERROR)
                && failed(at, kind, counter, queuePairNumber, queuePair, completion);
    }

    private boolean received(
            long at,
            int kind,
            int counter,
            int queuePairNumber,
            @Nullable Mlx5QueuePair queuePair,
            Completion completion) {
        int shared = (int) Segments.INT.get(ALL, at + SHARED) & NUMBER;
        if (shared == 0 && (queuePair == null || queuePair.receives() == null)) {
            return false;
        }
        long identifier = retireReceive(shared, counter, queuePair);
        int source = (int) Segments.INT.get(ALL, at + SOURCE);
        int data = (int) Segments.INT.get(ALL, at + DATA);
        int flags = WireOpcodes.receiveFlags(kind) | ((source >>> 28 & 3) != 0 ? Completion.GRH : 0);
        int carried = (flags & (Completion.WITH_IMMEDIATE | Completion.WITH_INVALIDATE)) != 0 ? data : 0;
        int lid = (short) Segments.SHORT.get(ALL, at + LID) & 0xffff;
        int level = source >>> 24 & 0xf;
        int path = ALL.get(JAVA_BYTE, at + PATH) & 0x7f;
        completion
                .set(identifier, 0, WireOpcodes.receive(kind), 0, (int) Segments.INT.get(ALL, at + BYTES),
                        queuePairNumber)
                .carried(flags, carried)
                .path(source & NUMBER, data & 0xffff, lid, level, path);
        return queuePair != null;
    }

    private boolean failed(
            long at,
            int kind,
            int counter,
            int queuePairNumber,
            @Nullable Mlx5QueuePair queuePair,
            Completion completion) {
        long identifier;
        if (kind == REQUEST_ERROR) {
            if (queuePair == null) {
                return false;
            }
            identifier = queuePair.blocks().identifier(counter);
            queuePair.blocks().retire(counter);
        } else {
            int shared = (int) Segments.INT.get(ALL, at + SHARED) & NUMBER;
            if (shared == 0 && (queuePair == null || queuePair.receives() == null)) {
                return false;
            }
            identifier = retireReceive(shared, counter, queuePair);
        }
        int status = WireOpcodes.status(ALL.get(JAVA_BYTE, at + SYNDROME) & 0xff);
        int vendor = ALL.get(JAVA_BYTE, at + VENDOR) & 0xff;
        completion.set(identifier, status, 0, vendor, 0, queuePairNumber).carried(0, 0).path(0, 0, 0, 0, 0);
        return queuePair != null;
    }

    private long retireReceive(int shared, int counter, @Nullable Mlx5QueuePair queuePair) {
        if (shared != 0) {
            Mlx5SharedReceiveQueue queue = context.sharedQueues().get(shared);
            return queue == null ? 0 : queue.ring().retire(counter);
        }
        Mlx5ReceiveQueue receives = queuePair == null ? null : queuePair.receives();
        return receives == null ? 0 : receives.retire();
    }

    private @Nullable Mlx5QueuePair queuePair(int wanted) {
        Mlx5QueuePair known = latest;
        if (known == null || known.number() != wanted || known.isGone()) {
            known = context.queuePairs().get(wanted);
            latest = known;
        }
        return known;
    }

    @Override
    public void end() {
        if (next != given) {
            given = next;
            Segments.INT.setRelease(ALL, record.record() & ADDRESSES, next & NUMBER);
        }
    }

    /// Writes the record first, then the doorbell: sequence number, kind, and the polled position.
    @Override
    public void requestNotification(boolean solicitedOnly) {
        requireNotLost();
        int command = (events.get() & 3) << 28 | (solicitedOnly ? SOLICITED : 0) | (next & NUMBER);
        Segments.INT.setRelease(ALL, (record.record() & ADDRESSES) + Integer.BYTES, command);
        context.completionDoorbell().ring(Long.reverseBytes(Segments.pair(command, number)));
    }

    /// Each arming has a new number, so that the device can distinguish it from a repetition.
    @Override
    public void eventTaken() {
        events.incrementAndGet();
    }

    /// The kernel writes a mark into the old ring and continues in the new one.
    @Override
    public void resize(int entries) {
        int count = QueueSizes.completions(entries);
        if (count == ring.mask() + 1) {
            return;
        }
        CompletionRing larger;
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            QueueMemory memory = rollback.make(
                    () -> QueueMemory.allocate((long) count * CompletionRing.SLOT), QueueMemory::release);
            larger = new CompletionRing(memory, count);
            MemorySegment wanted = CommandStructs.RESIZE_CQ.allocate(arena);
            CommandStructs.RESIZE_CQ
                    .view(wanted)
                    .set("buf_addr", memory.address())
                    .set("cqe_size", CompletionRing.SLOT);
            ResizeCompletionQueue.execute(context.channel(), handle, count - 1, DriverData.in(wanted));
            rollback.keep();
        }
        CompletionRing former = ring;
        ring = larger;
        boolean marked = former.copyTo(larger, next);
        if (former.memory() != record) {
            former.memory().release();
        }
        if (!marked) {
            lost = "the completion queue has lost completions: the device did not mark the end of its former ring";
            throw new VerbsException(
                    "resize completion queue", Errno.EPROTO, "the device left no end mark in the old ring");
        }
        next++;
    }

    /// Its completions name blocks and elements that are no longer valid.
    @Override
    public void forget(ProviderQueuePair queuePair) {
        latest = null;
        if (queuePair instanceof Mlx5QueuePair ours && lost == null) {
            int removed = ring.remove(next, ours);
            next += removed;
            if (removed != 0) {
                end();
            }
        }
    }

    @Override
    public void destroy() {
        DestroyCompletionQueue.execute(context.channel(), handle);
        lost = "the completion queue is destroyed";
        ring.memory().release();
        record.release();
    }

    private void requireNotLost() {
        String reason = lost;
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }
}
