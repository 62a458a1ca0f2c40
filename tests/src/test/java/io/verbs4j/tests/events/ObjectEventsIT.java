// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Events of queue pairs, completion queues and shared receive queues: which of them rxe raises on which kernel, and
/// for which object.
@DeviceTest
@Covers({"ibv_get_async_event", "ibv_ack_async_event"})
@Needs.EachKernel
class ObjectEventsIT {
    private final Context context = Rxe.open();
    private final ExpectedEvents events = ExpectedEvents.of(context);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(64);

    @AfterEach
    void close() {
        context.close();
    }

    private static QueuePair connectedWithItself(QueuePairBuilder builder) {
        var prepared = builder.prepare();
        return prepared.connect(prepared.endpoint());
    }

    private static void send(QueuePair queuePair) {
        try (var batch = queuePair.beginSend()) {
            assertThat(batch.signaled().send().inline(MemorySegment.NULL).post()).isTrue();
            batch.submit();
        }
    }

    private static void go(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    /// rxe reports it also if nobody asked by SQD_ASYNC_NOTIFY.
    @Test
    void reportThatTheSendQueueIsDrained() throws InterruptedException {
        var queuePair = connectedWithItself(domain.reliableConnection(queue));
        go(queuePair, QueuePairState.SQD);

        AsyncEvent event = events.next(AsyncEventType.SEND_QUEUE_DRAINED);
        assertThat(event).isEqualTo(new AsyncEvent(AsyncEventType.SEND_QUEUE_DRAINED, queuePair, 0));
        assertThat(event).hasToString("SEND_QUEUE_DRAINED of " + queuePair);
        assertThat(events.rest()).isEmpty();
    }

    /// Linux 6.1 leaves a queue pair alone that is drained already (`rxe_qp_drain`, rxe_qp.c).
    @Test
    void reportOnceMoreThatTheSendQueueIsDrainedOnNewerKernelsOnly() throws InterruptedException {
        var queuePair = connectedWithItself(domain.reliableConnection(queue));
        go(queuePair, QueuePairState.SQD);
        events.next(AsyncEventType.SEND_QUEUE_DRAINED);
        go(queuePair, QueuePairState.SQD);
        if (Kernel.drainsAgain()) {
            events.next(AsyncEventType.SEND_QUEUE_DRAINED);
        }
        assertThat(events.rest()).isEmpty();
    }

    @Test
    void reportThatACompletionQueueOverflows() throws InterruptedException {
        var small = context.createCompletionQueue(1);
        var queuePair = connectedWithItself(domain.reliableConnection(queue).sendCompletionQueue(small));
        int sends = small.capacity() + 2;
        try (var receives = queuePair.beginReceive()) {
            for (int i = 0; i < sends; i++) {
                assertThat(receives.post(0, 0, 0)).isTrue();
            }
            receives.submit();
        }
        for (int i = 0; i < sends; i++) {
            send(queuePair);
        }

        for (int lost = 0; lost < 2; lost++) {
            assertThat(events.next(AsyncEventType.CQ_ERROR))
                    .isEqualTo(new AsyncEvent(AsyncEventType.CQ_ERROR, small, 0));
        }
        assertThat(small.poll(sends, completion -> assertThat(completion.isSuccess()).isTrue()))
                .isEqualTo(small.capacity());
        assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void reportThatASharedReceiveQueueFellBelowItsLimit() throws InterruptedException {
        var shared = sharedReceiveQueue(4);
        var queuePair = connectedWithItself(domain.reliableConnection(queue).sharedReceiveQueue(shared));
        shared.armLimit(3);

        send(queuePair);
        new Completions(queue, queuePair::toString).nextSuccesses(2);
        assertThat(events.rest()).isEmpty();
        send(queuePair);
        assertThat(events.next(AsyncEventType.SRQ_LIMIT_REACHED))
                .isEqualTo(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, shared, 0));
        assertThat(shared.query().limit()).as("the limit is disarmed").isZero();
    }

    @Test
    void reportWhichQueuePairTookItsLastReceive() throws InterruptedException {
        var shared = sharedReceiveQueue(4);
        var queuePair = connectedWithItself(domain.reliableConnection(queue).sharedReceiveQueue(shared));
        go(queuePair, QueuePairState.ERR);

        if (Kernel.reportsTheLastReceive()) {
            assertThat(events.next(AsyncEventType.QP_LAST_WQE_REACHED).object()).isEqualTo(queuePair);
        } else {
            assertThat(events.rest()).isEmpty();
        }
    }

    private SharedReceiveQueue sharedReceiveQueue(int receives) {
        var shared = domain.createSharedReceiveQueue(receives, 1);
        try (var batch = shared.beginReceive()) {
            for (int i = 0; i < receives; i++) {
                assertThat(batch.post(0, 0, 0)).isTrue();
            }
            batch.submit();
        }
        return shared;
    }

    /// The requester learns of it by a completion. The responder, on older kernels, by nothing but its state.
    @Test
    void reportAWrongKeyToTheResponder() throws InterruptedException {
        try (var pair = ConnectedPair.onOneDevice().connect()) {
            var right = ExpectedEvents.of(pair.right().context());
            RemoteMemory remote = pair.right().memory().remote();
            var wrong = new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() ^ 0x5500);
            pair.left().post(batch -> batch.signaled().write().local(pair.left().memory(), 0, 8).remote(wrong).post());
            assertThat(pair.left().completions().next().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
            Eventually.until(
                    () -> pair.right().queuePair().query().state() == QueuePairState.ERR, pair.right()::toString);

            if (Kernel.reportsAccessErrors()) {
                assertThat(right.next(AsyncEventType.QP_ACCESS_ERROR).object()).isEqualTo(pair.right().queuePair());
            }
            assertThat(right.rest()).isEmpty();
            assertThat(ExpectedEvents.of(pair.left().context()).rest()).isEmpty();
        }
    }

    /// The specification has an event for it, rxe has not.
    @Test
    void doNotReportTheFirstPacketInRtr() throws InterruptedException {
        try (var receiver = domain.reliableConnection(queue).create()) {
            receiver.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.INIT)
                    .pkeyIndex(0)
                    .port(1)
                    .accessFlags(0)
                    .build());
            var prepared = domain.reliableConnection(queue).packetSequenceNumber(5).prepare();
            receiver.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.RTR)
                    .addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)))
                    .pathMtu(Mtu.MTU_1024)
                    .destinationQueuePairNumber(prepared.endpoint().queuePairNumber())
                    .receivePsn(5)
                    .maxDestinationReadAtomic(1)
                    .minRnrTimer(1)
                    .build());
            try (var batch = receiver.beginReceive()) {
                assertThat(batch.post(0, 0, 0)).isTrue();
                batch.submit();
            }
            var sender = prepared.connect(
                    new QueuePairEndpoint(receiver.number(), 0, Rxe.gid(1), 0, Mtu.MTU_1024));
            send(sender);
            new Completions(queue, sender::toString).nextSuccesses(2);
            assertThat(events.rest()).isEmpty();
        }
    }

    @Test
    void closeTheirObjectWithoutWaiting() throws InterruptedException {
        var taken = connectedWithItself(domain.reliableConnection(queue));
        go(taken, QueuePairState.SQD);
        events.next(AsyncEventType.SEND_QUEUE_DRAINED);
        taken.close();

        var notTaken = connectedWithItself(domain.reliableConnection(queue));
        go(notTaken, QueuePairState.SQD);
        Eventually.until(() -> !notTaken.query().sendQueueDraining(), notTaken::toString);
        notTaken.close();
        assertThat(events.rest()).as("events of a closed queue pair").isEmpty();
    }
}
