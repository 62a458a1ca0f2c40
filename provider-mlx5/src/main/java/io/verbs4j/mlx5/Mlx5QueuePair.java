// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.SendLimits;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A queue pair. Its memory contains the receive queue, then the send queue, then the doorbell record of both.
final class Mlx5QueuePair extends ProviderQueuePair {
    private static final int NUMBER = 0xffffff;
    /// No index: completions contain the queue pair's number.
    private static final int NO_INDEX = 0xffffff;

    private static final long SHARED = Segments.COMPLETION.offset("srqn_uidx");

    private final Mlx5Context context;
    private final QueueMemory memory;
    private final SendBlocks blocks;
    private final Mlx5SendQueue sends;
    private final @Nullable Mlx5ReceiveQueue receives;
    private final @Nullable Mlx5SharedReceiveQueue shared;
    private volatile boolean gone;

    private Mlx5QueuePair(
            Mlx5Context context,
            QueuePairRequest request,
            CreateQueuePair.Response created,
            QueueMemory memory,
            QueueSizes.Send send,
            QueueSizes.Receive receive,
            DoorbellRegister register) {
        super(context.channel(), created);
        this.context = context;
        this.memory = memory;
        this.blocks = new SendBlocks(
                memory,
                receive.bytes(),
                send.blocks(),
                send.capacity(),
                created.number(),
                request.signalAll(),
                register);
        SendLimits limits = Operations.limits(
                request.type(),
                request.capabilities().maxSendScatterGather(),
                send.inline(),
                context.maxMessage());
        this.sends = new Mlx5SendQueue(blocks, limits, request.domain().handle(), context.windows());
        this.receives = receive.count() == 0 ? null : new Mlx5ReceiveQueue(memory, receive.count(), receive.shift());
        this.shared = request.sharedReceiveQueue() instanceof Mlx5SharedReceiveQueue queue ? queue : null;
        context.queuePairs().put(created.number(), this);
    }

    /// Creates a queue pair. A failed creation leaves nothing behind.
    static Mlx5QueuePair create(Mlx5Context context, QueuePairRequest request) {
        ProviderSharedReceiveQueue shared = request.sharedReceiveQueue();
        QueueSizes.Send send = QueueSizes.send(context.limits(), request.type(), request.capabilities());
        QueuePairCapabilities wanted = ask(request.capabilities(), send, shared != null);
        QueueSizes.Receive receive = QueueSizes.receive(context.limits(), wanted);
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            QueueMemory memory = rollback.make(
                    () -> QueueMemory.allocate(receive.bytes() + (long) send.blocks() * Segments.BLOCK),
                    QueueMemory::release);
            MemorySegment part = CommandStructs.CREATE_QP.allocate(arena);
            CommandStructs.CREATE_QP
                    .view(part)
                    .set("buf_addr", memory.address())
                    .set("db_addr", memory.record())
                    .set("sq_wqe_count", send.blocks())
                    .set("rq_wqe_count", receive.count())
                    .set("rq_wqe_shift", receive.shift())
                    .set("uidx", NO_INDEX);
            MemorySegment answer = CommandStructs.CREATE_QP_ANSWER.allocate(arena);
            CreateQueuePair.Response created = new CreatedObjects(context.channel(), rollback)
                    .queuePair(request.command(wanted), new DriverData(part, answer));
            int index = CommandStructs.CREATE_QP_ANSWER.view(answer).getInt("bfreg_index");
            var queuePair =
                    new Mlx5QueuePair(context, request, created, memory, send, receive, context.register(index));
            rollback.keep();
            return queuePair;
        }
    }

    private static QueuePairCapabilities ask(QueuePairCapabilities wanted, QueueSizes.Send send, boolean shared) {
        return new QueuePairCapabilities(
                wanted.maxSendWorkRequests(),
                shared ? 0 : wanted.maxReceiveWorkRequests(),
                wanted.maxSendScatterGather(),
                shared ? 0 : wanted.maxReceiveScatterGather(),
                send.inline());
    }

    SendBlocks blocks() {
        return blocks;
    }

    @Nullable
    Mlx5ReceiveQueue receives() {
        return receives;
    }

    boolean isGone() {
        return gone;
    }

    /// Returns whether a completion belongs to this queue pair; a shared receive is returned to its queue.
    ///
    /// @param at the completion
    /// @param last its last word
    boolean drops(long at, long last) {
        if (((int) (last >>> Integer.SIZE) & NUMBER) != number()) {
            return false;
        }
        if (shared != null && ((int) Segments.INT.get(ALL, at + SHARED) & NUMBER) != 0) {
            shared.ring().retire((int) last >>> Short.SIZE);
        }
        return true;
    }

    @Override
    public SendQueueOps sendOps() {
        return sends;
    }

    @Override
    public @Nullable ReceiveQueueOps receiveOps() {
        return receives;
    }

    /// Returns true, because a completion contains a block number, or stands for the oldest receive.
    @Override
    public boolean resetExcludesPolls() {
        return true;
    }

    /// A reset empties both queues. The API makes the completion queues drop waiting completions.
    @Override
    public void modify(QueuePairAttributes attributes) {
        super.modify(attributes);
        if (attributes.has(QueuePairAttribute.STATE) && attributes.state() == QueuePairState.RESET) {
            blocks.reset();
            if (receives != null) {
                receives.reset();
            }
        }
    }

    @Override
    public int destroy() {
        int events = DestroyQueuePair.execute(context.channel(), handle());
        context.queuePairs().remove(number(), this);
        gone = true;
        String reason = "the queue pair is destroyed";
        blocks.lose(reason);
        if (receives != null) {
            receives.lose(reason);
        }
        memory.release();
        return events;
    }
}
