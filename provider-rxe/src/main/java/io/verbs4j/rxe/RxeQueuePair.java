// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.rxe.quirks.ForeignSharedQueue;
import io.verbs4j.rxe.quirks.InlineWithoutElements;
import io.verbs4j.rxe.quirks.RaisedReads;
import io.verbs4j.rxe.quirks.ReceivesInErr;
import io.verbs4j.rxe.quirks.ResetInError;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.RingListener;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.MappedQueuePair;
import io.verbs4j.spi.ring.MappedRing;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A queue pair and its rings.
final class RxeQueuePair extends MappedQueuePair {
    private final RxeContext context;
    private final QueuePairType type;
    private final RaisedReads raisedReads = new RaisedReads();
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
            ForeignSharedQueue.refuse(own, own.domain(), request.domain().handle());
        }
        int maxDatagram = request.type() == QueuePairType.UD ? context.activeMtu() : 0;
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = RxeStructs.CREATE_QP.allocate(arena);
            CreateQueuePair.Response created = new CreatedObjects(channel, rollback)
                    .queuePair(request.command(InlineWithoutElements.avoid(request.capabilities())),
                            DriverData.out(answer));
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
    public boolean binds(int rkey) {
        return sendRing.slots().bind(rkey);
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
            raisedReads.change(attributes, () -> super.modify(attributes));
        } else if (attributes.has(QueuePairAttribute.STATE) && attributes.state() == QueuePairState.RESET) {
            ResetInError.reset(this, () -> super.modify(attributes));
        } else {
            super.modify(attributes);
        }
    }

    @Override
    public void flushReceives() {
        if (receiveRing != null && !receiveRing.isEmpty()) {
            ReceivesInErr.flush(this);
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
