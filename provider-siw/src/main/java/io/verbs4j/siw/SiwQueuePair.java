// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.MappedQueuePair;
import io.verbs4j.spi.ring.MappedRing;
import io.verbs4j.types.Gid;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A queue pair and its rings. Only the connection manager can connect the queue pair, because a connection needs a TCP
/// socket.
final class SiwQueuePair extends MappedQueuePair {
    private final SiwCompletionQueue sendQueue;
    private final SiwCompletionQueue receiveQueue;
    private final ReentrantLock flushLock = new ReentrantLock();

    /// True if the queue pair is known to be in ERR, and the kernel no longer uses the rings.
    private volatile boolean ended;
    private final SiwSendRing sendRing;
    private final @Nullable SiwReceiveRing receiveRing;

    /// The last state set by this program or the connection manager. `siw_query_qp` (siw_verbs.c) of Linux 6.1 does not
    /// report the state, so a query returns RESET. Later kernels never report RESET.
    private volatile QueuePairState noted = QueuePairState.RESET;

    private SiwQueuePair(
            SiwContext context,
            QueuePairRequest request,
            CreateQueuePair.Response created,
            MappedRing sendMapping,
            int sendSlots,
            @Nullable MappedRing receiveMapping,
            int receiveSlots) {
        super(context.channel(), created, sendMapping, receiveMapping);
        this.sendQueue = queue(request.sendQueue());
        this.receiveQueue = queue(request.receiveQueue());
        int sendBuffers = Math.min(request.capabilities().maxSendScatterGather(), SiwStructs.MAX_SGE);
        int receiveBuffers = Math.min(request.capabilities().maxReceiveScatterGather(), SiwStructs.MAX_SGE);
        this.sendRing = new SiwSendRing(
                sendMapping.segment(),
                sendSlots,
                SiwSendRing.limits(sendBuffers, Elements.MAX_INLINE, context.maxMessage()),
                request.signalAll(),
                this::ring);
        this.receiveRing = receiveMapping == null
                ? null
                : new SiwReceiveRing(receiveMapping.segment(), receiveSlots, receiveBuffers);
    }

    private static SiwCompletionQueue queue(ProviderCompletionQueue queue) {
        if (queue.unwrapped() instanceof SiwCompletionQueue ours) {
            return ours;
        }
        throw new IllegalArgumentException(
                "completionQueue belongs to another provider: " + queue.getClass().getName());
    }

    /// Creates a queue pair and maps its rings. A failed creation leaves nothing behind.
    static SiwQueuePair create(SiwContext context, QueuePairRequest request) {
        if (request.type() != QueuePairType.RC) {
            throw SiwRefusals.unsupported(
                    "create queue pair of type " + request.type(), "siw has reliable connections only: use RC");
        }
        CommandChannel channel = context.channel();
        ProviderSharedReceiveQueue shared = request.sharedReceiveQueue();
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = arena.allocate(SiwStructs.CREATE_QP.layout());
            CreateQueuePair.Response created = new CreatedObjects(channel, rollback)
                    .queuePair(request.command(ask(request.capabilities())), DriverData.out(answer));
            int sendSlots = RingAnswer.slots("send queue", answer, SiwStructs.CREATE_QP, "num_sqe");
            MappedRing send = rollback.make(() -> MappedRing.map(
                    channel,
                    RingAnswer.key(answer, SiwStructs.CREATE_QP, "sq_key"),
                    sendSlots * Elements.SEND_BYTES), MappedRing::close);
            MappedRing receive = null;
            int receiveSlots =
                    shared == null ? RingAnswer.slots("receive queue", answer, SiwStructs.CREATE_QP, "num_rqe") : 0;
            if (shared == null) {
                receive = rollback.make(() -> MappedRing.map(
                        channel,
                        RingAnswer.key(answer, SiwStructs.CREATE_QP, "rq_key"),
                        receiveSlots * Elements.RECEIVE_BYTES), MappedRing::close);
            }
            var queuePair = new SiwQueuePair(context, request, created, send, sendSlots, receive, receiveSlots);
            rollback.keep();
            return queuePair;
        }
    }

    /// Returns the capacities to request, at least 1: the kernel creates no queue pair without a send queue, and no
    /// ring for 0 receives.
    private static QueuePairCapabilities ask(QueuePairCapabilities wanted) {
        return new QueuePairCapabilities(
                Math.max(wanted.maxSendWorkRequests(), 1),
                Math.max(wanted.maxReceiveWorkRequests(), 1),
                wanted.maxSendScatterGather(),
                wanted.maxReceiveScatterGather(),
                wanted.maxInlineData());
    }

    @Override
    public SendQueueOps sendOps() {
        return sendRing;
    }

    @Override
    public @Nullable ReceiveQueueOps receiveOps() {
        return receiveRing;
    }

    @Override
    public RingReading readSendRing() {
        return sendRing.slots().read();
    }

    @Override
    public @Nullable RingReading readReceiveRing() {
        return receiveRing == null ? null : receiveRing.slots().read();
    }

    /// Rejects states that only the kernel's connection manager can set: the command would fail with `EINVAL`
    /// (`siw_qp_nextstate_from_idle`, siw_qp.c).
    @Override
    public void modify(QueuePairAttributes attributes) {
        if (attributes.has(QueuePairAttribute.STATE)
                && (attributes.state() == QueuePairState.RTR || attributes.state() == QueuePairState.RTS)) {
            throw SiwRefusals.unsupported(
                    "modify queue pair to " + attributes.state(),
                    "iWARP connects by TCP, in the kernel: connect by the connection manager (module io.verbs4j.cm)");
        }
        super.modify(attributes);
        if (attributes.has(QueuePairAttribute.STATE)) {
            noted = attributes.state();
            if (noted == QueuePairState.ERR) {
                ended = true;
                flush();
            }
        }
    }

    /// Completes the work requests that the kernel does not flush. The kernel flushes the rings once, when the queue
    /// pair enters ERR (`siw_qp_modify`, siw_qp.c), and does not flush sends if none is outstanding. ERR is final:
    /// afterwards, the kernel ignores the rings.
    private void flush() {
        flushLock.lock();
        try {
            sendRing.takeAll((id, opcode) -> sendQueue.flushed().add(id, opcode, number()));
            if (receiveRing != null) {
                receiveRing.takeAll((id, _) -> receiveQueue.flushed().add(id, Elements.RECEIVE, number()));
            }
        } finally {
            flushLock.unlock();
        }
        sendQueue.announceFlushed();
        receiveQueue.announceFlushed();
    }

    /// Rings the doorbell. In ERR, the doorbell succeeds without effect, so this method flushes the posted work.
    private int ring() {
        int result = doorbell().getAsInt();
        if (ended) {
            flush();
        }
        return result;
    }

    @Override
    public void flushReceives() {
        if (ended) {
            flush();
        }
    }

    @Override
    public void noteState(QueuePairState now) {
        noted = now;
        flushIfFailed(now);
    }

    /// Moves the queue pair to ERR once more if the kernel has done so by itself. The command waits until the kernel
    /// has flushed the rings, because `siw_qp_llp_close` (siw_qp.c) flushes them with the state's lock held.
    private void flushIfFailed(QueuePairState state) {
        if (state == QueuePairState.ERR && !ended) {
            modify(QueuePairAttributes.builder().state(state).build());
        }
    }

    /// Returns the attributes that `siw_query_qp` reports, with the noted state in place of RESET, and the device's
    /// only port, 1. Omits all other attributes, because the kernel may return arbitrary bytes for them.
    @Override
    public QueuePairAttributes query(int mask) {
        QueuePairAttributes answer = super.query(mask);
        QueuePairState state = answer.state() == QueuePairState.RESET ? noted : answer.state();
        flushIfFailed(state);
        var reported = QueuePairAttributes.builder()
                .state(state)
                .currentState(state)
                .accessFlags(answer.accessFlags())
                .port(1)
                .maxReadAtomic(answer.maxReadAtomic())
                .maxDestinationReadAtomic(answer.maxDestinationReadAtomic())
                .capabilities(Objects.requireNonNull(answer.capabilities()));
        return answer.pathMtu() == null ? reported.build() : reported.pathMtu(answer.pathMtu()).build();
    }

    @Override
    public void attachMulticast(Gid group, int lid) {
        throw noMulticast();
    }

    @Override
    public void detachMulticast(Gid group, int lid) {
        throw noMulticast();
    }

    private static NotSupportedException noMulticast() {
        return SiwRefusals.unsupported("attach multicast", "siw has no datagrams: send to each peer");
    }

    @Override
    protected void vacate(String reason) {
        sendRing.vacate(reason);
        if (receiveRing != null) {
            receiveRing.vacate(reason);
        }
    }
}
