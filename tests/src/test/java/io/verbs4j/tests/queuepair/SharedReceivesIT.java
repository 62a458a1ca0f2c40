// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.tests.support.AnyDevice.AlsoOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Messages over the wire to queue pairs that share their receives.
@DeviceTest
@AlsoOverMlx5
@Covers({"ibv_create_srq", "ibv_post_srq_recv", "ibv_destroy_srq"})
@Needs.OneKernel("how receives are shared is the same on each kernel")
class SharedReceivesIT {
    private static final int LENGTH = 256;
    private static final Duration SHORT = Duration.ofMillis(100);

    private final Side left = new Side(Rxe.LEFT);
    private final Side right = new Side(Rxe.RIGHT);
    private final SharedReceiveQueue shared = right.domain.createSharedReceiveQueue(50, 2);

    @AfterEach
    void close() {
        try (
                var _ = left.context;
                var _ = right.context) {
            // Both are closed, also if one of them fails.
        }
    }

    @ParameterizedTest
    @Scenario("test_srq.SrqTestCase.test_rc_srq_traffic")
    @EnumSource(names = {"RC", "UC"})
    void goToManyQueuePairsInTheOrderOfTheReceives(QueuePairType type) {
        var connections = IntStream.range(0, 4).mapToObj(i -> connect(type)).toList();
        receive(0, 12);
        for (int i = 0; i < 12; i++) {
            connections.get(i % 4).send(i);
            CompletionRecord received = right.completions.nextSuccess();
            assertThat(received.workRequestId()).isEqualTo(i);
            assertThat(received.queuePairNumber()).isEqualTo(connections.get(i % 4).receiver.number());
            assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
            assertThat(received.byteLength()).isEqualTo(LENGTH);
            TestBytes.assertHolds(right.slot(i), i);
        }
    }

    @Test
    void areTakenByWritesWithImmediateDataToo() {
        var connection = connect(QueuePairType.RC);
        receive(7, 1);
        try (var batch = connection.sender.beginSend()) {
            batch.write().immediate(99).local(left.memory, 0, 64).remote(right.memory.remote()).post();
            batch.submit();
        }
        CompletionRecord received = right.completions.nextSuccess();
        assertThat(received.workRequestId()).isEqualTo(7);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
        assertThat(received.immediateDataOrKey()).isEqualTo(99);
    }

    @Test
    void comeToDatagramQueuePairsBehindTheirHeader() {
        int qkey = 0x1234;
        var sender = left.domain.datagram(left.queue).prepare();
        var receiver = right.domain
                .datagram(right.queue)
                .qkey(qkey)
                .sharedReceiveQueue(shared)
                .prepare();
        var path = left.domain.createAddressHandle(AddressVector.roce(
                1, sender.gidSelection().entry().index(), receiver.endpoint().gid()));
        var to = receiver.start().number();
        receive(3, 1);
        TestBytes.fill(left.slot(0).asSlice(0, 100), 5);
        try (var batch = sender.start().beginSend()) {
            batch.to(path, to, qkey).send().local(left.memory, 0, 100).post();
            batch.submit();
        }
        CompletionRecord received = right.completions.nextSuccess();
        assertThat(received.workRequestId()).isEqualTo(3);
        assertThat(received.byteLength()).isEqualTo(140);
        TestBytes.assertHolds(right.slot(3).asSlice(40, 100), 5);
    }

    @Test
    @Covers("ibv_modify_srq")
    @NotOverMlx5("a shared receive queue keeps its size")
    void areKeptWhenTheQueueIsResizedWhileTheyWait() {
        var connection = connect(QueuePairType.RC);
        receive(0, 10);
        connection.send(0);
        right.completions.nextSuccess();

        shared.resize(500);
        connection.send(1);
        assertThat(right.completions.nextSuccess().workRequestId()).isEqualTo(1);
        shared.resize(8);
        receive(10, shared.capacity() - 8);
        for (int i = 2; i < shared.capacity() + 2; i++) {
            connection.send(i);
            assertThat(right.completions.nextSuccess().workRequestId()).isEqualTo(i);
            TestBytes.assertHolds(right.slot(i), i);
        }
    }

    @Test
    @Covers({"ibv_modify_srq", "ibv_query_srq"})
    @NotOverMlx5("a shared receive queue keeps its size")
    void areStillTakenAfterARefusalToShrink() {
        var connection = connect(QueuePairType.RC);
        receive(0, 20);
        int capacity = shared.capacity();

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> shared.resize(5))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("20 receives are waiting");
        }

        assertThat(shared.query().maxWorkRequests()).isEqualTo(capacity);
        shared.armLimit(10);
        assertThat(shared.query().limit()).isEqualTo(10);
        connection.send(0);
        assertThat(right.completions.nextSuccess().workRequestId()).isZero();
        TestBytes.assertHolds(right.slot(0), 0);
    }

    @Test
    @Covers("ibv_modify_srq")
    @NotOverMlx5("a shared receive queue keeps its size")
    void areNeitherLostNorDoubledWhenTheQueueIsResizedUnderTraffic() {
        var connections = List.of(connect(QueuePairType.RC), connect(QueuePairType.RC));
        int messages = 200;
        receive(0, 40);
        var ids = new ArrayList<Long>();
        int sent = 0;
        while (ids.size() < messages) {
            while (sent < messages && sent - ids.size() < 20) {
                connections.get(sent % 2).send(sent % 2);
                sent++;
            }
            shared.resize(sent % 3 == 0 ? 60 : 300);
            CompletionRecord received = right.completions.nextSuccess();
            ids.add(received.workRequestId());
            receive(ids.size() + 39, 1);
        }
        assertThat(ids).containsExactlyInAnyOrderElementsOf(
                LongStream.range(0, messages).boxed().toList());
    }

    @Test
    @Scenario("test_srq.SrqTestCase.test_modify_srq_limit")
    @Covers({"ibv_modify_srq", "ibv_query_srq", "ibv_get_async_event", "ibv_ack_async_event", "ibv_event_type_str"})
    void reportOnceWhenFewerThanTheLimitWait() throws InterruptedException {
        var connection = connect(QueuePairType.RC);
        receive(0, 10);
        shared.armLimit(8);

        connection.sendAndReceive(2);
        assertThat(event(SHORT)).as("8 wait still, which is not fewer").isNull();

        connection.sendAndReceive(1);
        assertThat(event(Eventually.LIMIT))
                .isEqualTo(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, shared, 0));
        assertThat(shared.query().limit()).as("it is disarmed by the event").isZero();

        connection.sendAndReceive(3);
        assertThat(event(SHORT)).as("nobody armed it again").isNull();
    }

    @Test
    @Covers("ibv_modify_srq")
    void reportAtTheNextMessageIfFewerThanTheLimitWaitAlready() throws InterruptedException {
        var connection = connect(QueuePairType.RC);
        receive(0, 3);
        shared.armLimit(10);
        assertThat(event(SHORT)).as("rxe looks when a message takes a receive").isNull();

        connection.sendAndReceive(1);
        assertThat(event(Eventually.LIMIT))
                .isEqualTo(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, shared, 0));
    }

    @Test
    @Covers("ibv_modify_srq")
    void reportAgainIfTheLimitIsArmedAgain() throws InterruptedException {
        var connection = connect(QueuePairType.RC);
        for (int round = 0; round < 3; round++) {
            receive(0, 4);
            shared.armLimit(4);
            connection.sendAndReceive(1);
            assertThat(event(Eventually.LIMIT).type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
            connection.sendAndReceive(3);
        }
        assertThat(event(SHORT)).isNull();
    }

    @Test
    void areWaitedForByThePeer() {
        var connection = connect(QueuePairType.RC);
        connection.send(0);
        LockSupport.parkNanos(SHORT.toNanos());
        right.completions.assertNone();
        receive(0, 1);
        assertThat(right.completions.nextSuccess().workRequestId()).isZero();
    }

    @Test
    void stayForTheOthersWhenOneQueuePairFails() throws InterruptedException {
        var failing = connect(QueuePairType.RC);
        var working = connect(QueuePairType.RC);
        receive(0, 3);

        failing.receiver.modify(
                QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        if (Kernel.reportsTheLastSharedReceive()) {
            assertThat(event(Eventually.LIMIT))
                    .isEqualTo(new AsyncEvent(AsyncEventType.QP_LAST_WQE_REACHED, failing.receiver, 0));
        } else {
            assertThat(event(SHORT)).isNull();
        }
        right.completions.assertNone();

        for (int i = 0; i < 3; i++) {
            working.send(i);
            assertThat(right.completions.nextSuccess().workRequestId()).isEqualTo(i);
        }
    }

    @Test
    void failOneByOneIfAMessageIsTooLong() {
        var connection = connect(QueuePairType.RC);
        var other = connect(QueuePairType.RC);
        receive(0, 2);
        try (var batch = connection.sender.beginSend()) {
            batch.workRequestId(5).send().local(left.memory, 0, LENGTH + 1).post();
            batch.submit();
        }
        CompletionRecord received = right.completions.next();
        assertThat(received.workRequestId()).isZero();
        assertThat(received.status()).isEqualTo(CompletionStatus.LOCAL_QP_OPERATION_ERROR);
        CompletionRecord sent = left.completions.next();
        assertThat(sent.workRequestId()).isEqualTo(5);
        assertThat(sent.status()).isEqualTo(CompletionStatus.REMOTE_OPERATION_ERROR);

        other.send(1);
        assertThat(right.completions.nextSuccess().workRequestId()).isEqualTo(1);
    }

    @Test
    void outliveTheQueuePairsThatTookThem() {
        var first = connect(QueuePairType.RC);
        receive(0, 2);
        first.sendAndReceive(1);
        first.sender.close();
        first.receiver.close();

        var second = connect(QueuePairType.RC);
        second.send(1);
        assertThat(right.completions.nextSuccess().workRequestId()).isEqualTo(1);
    }

    private AsyncEvent event(Duration timeout) throws InterruptedException {
        return right.context.asyncEvents().take(timeout);
    }

    /// Posts receives, each into a place of its own.
    private void receive(long firstId, int count) {
        try (var batch = shared.beginReceive()) {
            for (long id = firstId; id < firstId + count; id++) {
                long place = id % Side.SLOTS * LENGTH;
                assertThat(batch.workRequestId(id).receive(right.memory, place, LENGTH)).isTrue();
            }
            batch.submit();
        }
    }

    private Connection connect(QueuePairType type) {
        var sender = left.domain.queuePair(type, left.queue).prepare();
        var receiver = right.domain
                .queuePair(type, right.queue)
                .sharedReceiveQueue(shared)
                .prepare();
        var to = receiver.endpoint();
        return new Connection(receiver.connect(sender.endpoint()), sender.connect(to));
    }

    private final class Connection {
        private final QueuePair receiver;
        private final QueuePair sender;

        Connection(QueuePair receiver, QueuePair sender) {
            this.receiver = receiver;
            this.sender = sender;
        }

        /// Sends the bytes of a seed from a place of their own.
        void send(int seed) {
            TestBytes.fill(left.slot(seed), seed);
            try (var batch = sender.beginSend()) {
                assertThat(batch.send().local(left.memory, (long) seed % Side.SLOTS * LENGTH, LENGTH).post())
                        .isTrue();
                batch.submit();
            }
        }

        void sendAndReceive(int count) {
            for (int i = 0; i < count; i++) {
                send(i);
                right.completions.nextSuccess();
            }
        }
    }

    /// All that one device contributes.
    private static final class Side {
        static final int SLOTS = 64;

        private final Context context;
        private final ProtectionDomain domain;
        private final CompletionQueue queue;
        private final MemoryRegion memory;
        private final Completions completions;

        Side(String device) {
            context = Rxe.open(device);
            domain = context.allocateProtectionDomain();
            queue = context.createCompletionQueue(1024);
            memory = domain.allocate(SLOTS * LENGTH, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            completions = new Completions(queue, context::toString);
        }

        MemorySegment slot(long number) {
            return memory.segment().asSlice(number % SLOTS * LENGTH, LENGTH);
        }
    }
}
