// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.RingListener;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.MappedQueuePair;
import io.verbs4j.spi.ring.MappedRing;
import io.verbs4j.spi.ring.Rollback;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A queue pair and its rings.
final class RxeQueuePair extends MappedQueuePair {
    private static final int MAX_RESETS = 8;

    private final RxeContext context;
    private final QueuePairType type;
    private final ReentrantLock readAtomicLock = new ReentrantLock();
    /// Capacity of the kernel's table of incoming reads and atomics; -1 without a table.
    private int readAtomicRoom = -1; // guarded by the lock
    private final SendRing sendRing;
    private final @Nullable ReceiveRing receiveRing;

    private RxeQueuePair(
            RxeContext context,
            QueuePairRequest request,
            CreateQueuePair.Response created,
            MappedRing sendMapping,
            @Nullable MappedRing receiveMapping,
            int maxDatagram) {
        super(context.channel(), created, sendMapping, receiveMapping);
        this.context = context;
        this.type = request.type();
        QueuePairCapabilities reported = created.capabilities();
        var limits = new RxeSendLimits(
                type,
                reported.maxSendScatterGather(),
                reported.maxInlineData(),
                context.maxMessage(),
                context.deviceCapabilities(),
                request.domain().handle());
        RingListener listener = context.listener();
        this.sendRing = listener == null
                ? new SendRing(sendMapping.segment(), limits, maxDatagram, doorbell())
                : new ObservedSendRing(
                        sendMapping.segment(),
                        limits,
                        maxDatagram,
                        doorbell(),
                        listener,
                        created.handle(),
                        created.number());
        this.receiveRing = receiveMapping == null
                ? null
                : receiveRing(receiveMapping.segment(), reported.maxReceiveScatterGather(), listener, created);
    }

    private static ReceiveRing receiveRing(
            MemorySegment mapping,
            int maxScatterGather,
            @Nullable RingListener listener,
            CreateQueuePair.Response created) {
        String name = "receive queue";
        return listener == null
                ? new ReceiveRing(mapping, maxScatterGather, name)
                : new ObservedReceiveRing(
                        mapping,
                        maxScatterGather,
                        name,
                        listener,
                        UverbsObject.QP,
                        created.handle(),
                        created.number());
    }

    /// Creates a queue pair and maps its rings. A failed creation leaves nothing behind.
    static RxeQueuePair create(RxeContext context, QueuePairRequest request) {
        CommandChannel channel = context.channel();
        ProviderSharedReceiveQueue shared = request.sharedReceiveQueue();
        if (shared instanceof RxeSharedReceiveQueue own) {
            own.requireSameDomain(request.domain().handle());
        }
        int maxDatagram = request.type() == QueuePairType.UD ? context.activeMtu() : 0;
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = RxeStructs.CREATE_QP.allocate(arena);
            CreateQueuePair.Response created = new CreatedObjects(channel, rollback)
                    .queuePair(request.command(ask(request.capabilities())), DriverData.out(answer));
            MappedRing send =
                    rollback.make(() -> RxeMminfo.read(answer, RxeStructs.CREATE_QP.offset("sq_mi")).map(channel),
                            MappedRing::close);
            MappedRing receive = null;
            if (shared == null) {
                receive = rollback.make(() -> RxeMminfo.read(answer, RxeStructs.CREATE_QP.offset("rq_mi")).map(channel),
                        MappedRing::close);
            }
            var queuePair = new RxeQueuePair(context, request, created, send, receive, maxDatagram);
            rollback.keep();
            return queuePair;
        }
    }

    /// Returns the capacities to request. They include at least one scatter/gather element. Without such an element,
    /// the kernel reports a capacity of inline data, but accepts none: the check in `rxe_requester` (rxe_req.c) fails
    /// for every work request with a payload.
    private static QueuePairCapabilities ask(QueuePairCapabilities wanted) {
        return new QueuePairCapabilities(
                wanted.maxSendWorkRequests(),
                wanted.maxReceiveWorkRequests(),
                Math.max(wanted.maxSendScatterGather(), 1),
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
    public @Nullable RingReading readSendRing() {
        return sendRing.slots().read(RxeSendWqe.STRUCT.offset("wr.wr_id"));
    }

    @Override
    public @Nullable RingReading readReceiveRing() {
        return receiveRing == null
                ? null
                : receiveRing.slots().read(RxeRecvWqe.STRUCT.offset("wr_id"));
    }

    @Override
    public boolean names(ProviderAddressHandle handle) {
        return type == QueuePairType.UD
                && handle instanceof RxeAddressHandle ours
                && sendRing.slots().hold(RxeSendWqe.UD_AH_NUM_OFFSET, ours.number(), sendRing.pending());
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        if (type == QueuePairType.UD && attributes.has(QueuePairAttribute.STATE)) {
            // The MTUs of the network interface and of the port may have changed. The query comes first, so that its
            // failure leaves the queue pair unchanged.
            int mtu = context.activeMtu();
            change(attributes);
            sendRing.limitDatagrams(mtu);
        } else {
            change(attributes);
        }
    }

    private void change(QueuePairAttributes attributes) {
        if (attributes.has(QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC)) {
            modifyReadAtomicRoom(attributes);
        } else {
            super.modify(attributes);
            if (attributes.has(QueuePairAttribute.STATE) && attributes.state() == QueuePairState.RESET) {
                resetAgainIfInError(attributes);
            }
        }
    }

    /// Workaround: the kernel's send task may set ERR after the reset has set RESET (`rxe_requester`, rxe_req.c, reads
    /// the state, releases its lock, and calls `rxe_qp_error`). When the command returns, the task has ended.
    private void resetAgainIfInError(QueuePairAttributes reset) {
        for (int i = 0; i < MAX_RESETS && isInError(); i++) {
            super.modify(reset);
        }
    }

    /// Returns false if the query fails, because the reset has succeeded nevertheless.
    private boolean isInError() {
        try {
            return query(QueuePairAttribute.STATE.bit()).state() == QueuePairState.ERR;
        } catch (VerbsException e) {
            return false;
        }
    }

    /// Workaround: the kernel clears the old table with the new size (`rxe_qp_from_attr`, then
    /// `free_rd_atomic_resources`, rxe_qp.c). With a larger size, the kernel writes beyond the table and soon crashes.
    /// A reset keeps the table. Linux 6.1 has this defect; there is no way to detect fixed kernels.
    private void modifyReadAtomicRoom(QueuePairAttributes attributes) {
        int wanted = attributes.maxDestinationReadAtomic();
        int room = wanted == 0 ? 0 : Integer.highestOneBit(2 * wanted - 1); // as the kernel rounds it
        readAtomicLock.lock();
        try {
            if (readAtomicRoom >= 0 && room > readAtomicRoom) {
                throw KernelErrors.failure(
                        ModifyQueuePair.SPECIFICATION,
                        Errno.EOPNOTSUPP,
                        "rxe cannot raise maxDestinationReadAtomic from " + readAtomicRoom + " to " + room
                                + ", even after a reset: the kernel would corrupt its memory; create another"
                                + " queue pair");
            }
            super.modify(attributes);
            readAtomicRoom = room;
        } finally {
            readAtomicLock.unlock();
        }
    }

    /// Workaround: receives that are posted in ERR are never flushed. Only an arriving packet or a change of state runs
    /// the responder (`rxe_qp_error`, rxe_qp.c), and packets that arrive in ERR are dropped earlier. A transition from
    /// ERR to ERR runs the responder.
    ///
    /// This method first queries the state, because the same command would move a working queue pair to ERR.
    @Override
    public void flushReceives() {
        if (receiveRing == null || receiveRing.isEmpty()) {
            return;
        }
        if (query(QueuePairAttribute.STATE.bit()).state() == QueuePairState.ERR) {
            modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        }
    }

    @Override
    protected void vacate(String reason) {
        sendRing.vacate(reason);
        if (receiveRing != null) {
            receiveRing.vacate(reason);
        }
    }
}
