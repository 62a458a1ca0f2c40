// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.ReceiveWorkRequest;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests behaviour of rxe that violates the specification or its own reports, and has no workaround. If a kernel fixes
/// it, the test fails. docs/rxe-quirks.md lists all quirks.
@DeviceTest
@Needs.EachKernel
class RxeQuirksIT {
    /// Time to wait for what must not come.
    private static final Duration A_WHILE = Duration.ofMillis(300);

    private static final int QKEY = 0x11111111;

    /// An atomic's target before it, and what lies where the former value is to go.
    private static final long FORMER = 7;
    private static final long UNTOUCHED = 99;

    @Test
    @Covers("ibv_modify_qp")
    void sevenRetriesAreRetriesForEver() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .left(builder -> builder.retryCount(7).timeout(8))
                        .connect()) {
            pair.right().close();
            long before = Rxe.sentPackets();

            pair.left().post(batch -> batch.signaled().send().local(pair.left().memory(), 0, 8).post());

            // Seven would be eight packets.
            Eventually.until(() -> Rxe.sentPackets() >= before + 16, () -> "no more retries");
            pair.left().completions().assertNone();
            assertThat(pair.left().queuePair().query().state()).isEqualTo(QueuePairState.RTS);
        }
    }

    /// A queue discipline that drops, because it is full or is being replaced, answers so; older kernels send again.
    @Test
    @RealKernel("queue disciplines")
    void aFullQueueOfTheInterfaceEndsTheQueuePairsThatSendOnNewerKernels() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .left(builder -> builder.timeout(12).retryCount(7))
                        .connect();
                var wire = new ImpairedLink().hurt(ImpairedLink.Side.LEFT, "delay 200ms limit 1")) {
            End left = pair.left();
            pair.right().receiveNothing(8);
            left.post(batch -> batch.signaled().send().local(left.memory(), 0, 0).post(),
                    batch -> batch.signaled().send().local(left.memory(), 0, 0).post(),
                    batch -> batch.signaled().send().local(left.memory(), 0, 0).post());
            if (Kernel.endsWhatMeetsAFullInterface()) {
                Eventually.until(
                        () -> left.queuePair().query().state() == QueuePairState.ERR, () -> "it works on: " + left);
            } else {
                wire.heal(ImpairedLink.Side.LEFT);
                left.completions().nextSuccesses(3);
            }
        }
    }

    @Test
    @Covers("ibv_wr_rdma_write")
    void writesThatAreSentAgainReachTheirAddress() {
        assertThat(sentAgain((left, right) -> batch -> batch.signaled()
                .write()
                .local(left.memory(), 0, 8)
                .remote(right.memory().remote(), 8)
                .post()))
                .isEqualTo(CompletionStatus.SUCCESS);
    }

    /// A repeated send is acknowledged with the number of the latest request, here the atomic's. That completes the
    /// atomic too, although its own answer, with the former value, never arrived. If the wire recovers between the two
    /// repeated requests, only the atomic's answer arrives, and the result is correct. That may happen occasionally.
    @Test
    @Covers("ibv_wr_atomic_fetch_add")
    void anAtomicWhoseAnswerIsLostCompletesWithoutTheFormerValue() {
        var values = new ArrayList<Long>();
        do {
            values.add(valueAfterALostAnswer());
        } while (values.getLast() == FORMER && values.size() < 4);
        assertThat(values).endsWith(UNTOUCHED);
    }

    private static long valueAfterALostAnswer() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .left(builder -> builder.timeout(16).retryCount(7))
                        .connect();
                var wire = new ImpairedLink().hurt(ImpairedLink.Side.RIGHT, "loss 100%")) {
            End left = pair.left();
            End right = pair.right();
            MemorySegment counter = right.memory().segment();
            counter.set(ValueLayout.JAVA_LONG, 0, FORMER);
            left.memory().segment().set(ValueLayout.JAVA_LONG, 8, UNTOUCHED);
            try (var receives = right.queuePair().beginReceive()) {
                receives.receive(right.memory(), 64, 8);
                receives.submit();
            }

            left.post(batch -> batch.signaled().send().local(left.memory(), 0, 8).post());
            left.post(batch -> batch.signaled()
                    .fetchAndAdd(1)
                    .local(left.memory(), 8, Long.BYTES)
                    .remote(right.memory().remote())
                    .post());
            Eventually.until(
                    () -> counter.get(ValueLayout.JAVA_LONG, 0) == FORMER + 1, () -> "the atomic was not done");
            wire.heal(ImpairedLink.Side.RIGHT);

            left.completions().nextSuccesses(2);
            assertThat(counter.get(ValueLayout.JAVA_LONG, 0)).as("done once").isEqualTo(FORMER + 1);
            return left.memory().segment().get(ValueLayout.JAVA_LONG, 8);
        }
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    void atomicWritesThatAreSentAgainGoToAddressZero() {
        assumeTrue(Kernel.hasFlushAndAtomicWrite(), "this kernel has no flush and atomic write");
        assertThat(sentAgain((left, right) -> batch -> batch.signaled()
                .atomicWrite(1)
                .remote(right.memory()
                        .remote(), 8)
                .post()))
                .isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers("ibv_wr_flush")
    void flushesThatAreSentAgainGoToAddressZero() {
        assumeTrue(Kernel.hasFlushAndAtomicWrite(), "this kernel has no flush and atomic write");
        assertThat(sentAgain((left, right) -> batch -> batch.signaled()
                .flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)
                .remote(right.memory().remote())
                .post()))
                .isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    /// A work request between two ends.
    @FunctionalInterface
    private interface Operation {
        End.Send of(End left, End right);
    }

    /// Posts a work request while the peer does not listen, and lets it listen when the request has been sent twice.
    private static CompletionStatus sentAgain(Operation operation) {
        Access[] rights = Kernel.hasFlushAndAtomicWrite()
                ? new Access[]{Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.FLUSH_GLOBAL}
                : new Access[]{Access.LOCAL_WRITE, Access.REMOTE_WRITE};
        try (
                var pair = ConnectedPair.onTheWire()
                        .access(rights)
                        .left(builder -> builder.retryCount(7))
                        .connect()) {
            End left = pair.left();
            End right = pair.right();
            QueuePairAttributes former = right.queuePair().query();
            int psn = left.queuePair().query().sendPsn();
            right.modify(QueuePairState.RESET);
            long before = Rxe.sentPackets();
            left.post(operation.of(left, right));
            Eventually.until(() -> Rxe.sentPackets() >= before + 2, () -> "nothing is sent again");
            right.receiveAgain(former, psn, rights);
            return left.completions().next().status();
        }
    }

    @Test
    @Covers("ibv_req_notify_cq")
    void failuresDoNotCountAsSolicited() throws InterruptedException {
        try (var pair = ConnectedPair.onTheWire().withChannels().connect()) {
            End left = pair.left();
            left.queue().requestNotification(true);

            left.post(batch -> batch.write()
                    .local(left.memory().address(), 8, left.memory().localKey())
                    .remote(0, 1)
                    .post());

            Eventually.until(
                    () -> left.queuePair().query().state() == QueuePairState.ERR, () -> "the write does not fail");
            assertThat(left.channel().take(A_WHILE)).isNull();
            assertThat(left.completions().next().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    @Test
    void readsHangIfNoneMayGoOut() throws InterruptedException {
        try (
                var pair = ConnectedPair.onTheWire()
                        .left(builder -> builder.readAtomic(0))
                        .connect()) {
            End left = pair.left();
            left.post(batch -> batch.signaled()
                    .read()
                    .local(left.memory(), 0, 8)
                    .remote(pair.right()
                            .memory()
                            .remote())
                    .post());
            Thread.sleep(A_WHILE);
            left.completions().assertNone();
            assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    @Covers({"ibv_wr_rdma_read", "ibv_wr_atomic_fetch_add", "ibv_wr_rdma_write"})
    void fencedRequestsThatAreNotAnsweredHangWithAReadUnderWay() throws InterruptedException {
        List<Batch> hanging = List.of(
                (left, right) -> List.of(
                        batch -> batch.signaled()
                                .fence()
                                .read()
                                .local(left.memory(), 0, 8)
                                .remote(right.memory()
                                        .remote())
                                .post()),
                (left, right) -> List.of(
                        batch -> batch.signaled()
                                .fence()
                                .fetchAndAdd(1)
                                .local(left.memory(), 0, Long.BYTES)
                                .remote(right.memory().remote())
                                .post()),
                (left, right) -> List.of(
                        batch -> batch.signaled()
                                .fence()
                                .write()
                                .local(left.memory(), 0, 8)
                                .remote(right.memory()
                                        .remote())
                                .post(),
                        batch -> batch.signaled()
                                .read()
                                .local(left.memory(), 0, 8)
                                .remote(right.memory().remote())
                                .post()));
        for (Batch requests : hanging) {
            try (var pair = unanswering()) {
                pair.left().post(requests.of(pair.left(), pair.right()).toArray(End.Send[]::new));
                Thread.sleep(A_WHILE);
                pair.left().completions().assertNone();
                assertThat(pair.left().queuePair().query().state()).isEqualTo(QueuePairState.RTS);
            }
        }
    }

    @Test
    @Covers({"ibv_wr_rdma_read", "ibv_wr_rdma_write"})
    void requestsThatAreNotAnsweredFailOtherwise() {
        List<Operation> others = List.of(
                (left, right) -> batch -> batch.signaled()
                        .read()
                        .local(left.memory(), 0, 8)
                        .remote(right.memory()
                                .remote())
                        .post(),
                (left, right) -> batch -> batch.signaled()
                        .fence()
                        .write()
                        .local(left.memory(), 0, 8)
                        .remote(right.memory().remote())
                        .post());
        for (Operation operation : others) {
            try (var pair = unanswering()) {
                pair.left().post(operation.of(pair.left(), pair.right()));
                assertThat(pair.left().completions().next().status()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
            }
        }
    }

    /// Work requests between two ends, with one doorbell.
    @FunctionalInterface
    private interface Batch {
        List<End.Send> of(End left, End right);
    }

    /// A left end that gives up after some milliseconds, and a right end that does not answer.
    private static ConnectedPair unanswering() {
        var pair = ConnectedPair.onTheWire()
                .left(builder -> builder.retryCount(1).timeout(8))
                .connect();
        pair.right().modify(QueuePairState.RESET);
        return pair;
    }

    @Test
    @Covers("ibv_wc_read_wc_flags")
    void everyReceiveClaimsAGlobalRouteHeader() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            pair.right().receive(1, 0, 64);
            pair.left().send(1, 0, 64);
            assertThat(pair.right().completions().nextSuccess().hasGlobalRouteHeader())
                    .isTrue();
        }
    }

    @Test
    @Covers({"ibv_query_device", "ibv_query_port"})
    void theDeviceClaimsMorePkeysThanThePortHas() {
        try (Context context = Rxe.open()) {
            assertThat(context.attributes().maxPkeys()).isEqualTo(64);
            assertThat(context.port(1).pkeyTableLength()).isEqualTo(1);
        }
    }

    @Test
    @Covers({"ibv_post_send", "ibv_wr_set_ud_addr"})
    void datagramsOverTheMtuAreRefusedBecauseTheyWouldVanish() {
        try (Context context = Rxe.open()) {
            var domain = context.allocateProtectionDomain();
            var memory = domain.allocate(8192, Access.LOCAL_WRITE);
            var queuePair = domain.datagram(context.createCompletionQueue(16))
                    .qkey(QKEY)
                    .prepare()
                    .start();
            var path = domain.createAddressHandle(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)));
            int tooLong = context.port(1).activeMtu().bytes() + 1;
            try (var batch = queuePair.beginSend()) {
                batch.to(path, queuePair.number(), QKEY);
                assertThatThrownBy(() -> batch.send().local(memory, 0, tooLong).post())
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("rxe would drop it and report success");
            }
        }
    }

    @Test
    @Covers({"ibv_post_recv", "ibv_poll_cq"})
    void datagramsLongerThanTheirReceiveAreDroppedOrEndTheQueuePair() throws InterruptedException {
        try (Context context = Rxe.open()) {
            var domain = context.allocateProtectionDomain();
            var memory = domain.allocate(8192, Access.LOCAL_WRITE);
            var queue = context.createCompletionQueue(16);
            var sender = domain.datagram(context.createCompletionQueue(16))
                    .qkey(QKEY)
                    .prepare()
                    .start();
            var receiver = domain.datagram(queue).qkey(QKEY).prepare().start();
            var path = domain.createAddressHandle(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)));
            var completions = new Completions(queue, receiver::toString);
            try (var batch = receiver.beginReceive()) {
                batch.receive(memory, 0, GlobalRouteHeader.BYTES + 64L);
                batch.submit();
            }

            try (var batch = sender.beginSend()) {
                batch.to(path, receiver.number(), QKEY).send().local(memory, 4096, 65).post();
                batch.submit();
            }

            if (Kernel.dropsLongDatagrams()) {
                Thread.sleep(A_WHILE);
                completions.assertNone();
                // The receive is still there for one that fits.
                try (var batch = sender.beginSend()) {
                    batch.to(path, receiver.number(), QKEY).send().local(memory, 4096, 64).post();
                    batch.submit();
                }
                CompletionRecord fitting = completions.nextSuccess();
                assertThat(fitting.byteLength()).isEqualTo(GlobalRouteHeader.BYTES + 64);
            } else {
                assertThat(completions.next().status()).isEqualTo(CompletionStatus.LOCAL_QP_OPERATION_ERROR);
                assertThat(receiver.query().state()).isEqualTo(QueuePairState.ERR);
            }
        }
    }

    /// The receive is taken from the shared queue before the length is checked, and completes (`RESPST_ERR_LENGTH`,
    /// rxe_resp.c).
    @Test
    @Covers({"ibv_post_srq_recv", "ibv_poll_cq"})
    void datagramsLongerThanTheirSharedReceiveFailItOrEndTheQueuePair() {
        try (Context context = Rxe.open()) {
            var domain = context.allocateProtectionDomain();
            var memory = domain.allocate(8192, Access.LOCAL_WRITE);
            var queue = context.createCompletionQueue(16);
            var shared = domain.createSharedReceiveQueue(8, 1);
            var sender = domain.datagram(context.createCompletionQueue(16)).qkey(QKEY).prepare().start();
            var receiver = domain.datagram(queue).sharedReceiveQueue(shared).qkey(QKEY).prepare().start();
            var path = domain.createAddressHandle(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)));
            var completions = new Completions(queue, receiver::toString);
            shared.postReceives(
                    List.of(ReceiveWorkRequest.into(memory.slice(0, GlobalRouteHeader.BYTES + 64L)).withId(3)));

            try (var batch = sender.beginSend()) {
                batch.to(path, receiver.number(), QKEY).send().local(memory, 4096, 65).post();
                batch.submit();
            }

            CompletionRecord failed = completions.next();
            assertThat(failed.workRequestId()).isEqualTo(3);
            if (Kernel.dropsLongDatagrams()) {
                assertThat(failed.status()).isEqualTo(CompletionStatus.REMOTE_INVALID_REQUEST);
                assertThat(failed).asString()
                        .contains("the datagram with its 40 bytes of header is longer than the receive");
                assertThat(receiver.query().state()).isEqualTo(QueuePairState.RTS);
            } else {
                assertThat(failed.status()).isEqualTo(CompletionStatus.LOCAL_QP_OPERATION_ERROR);
                assertThat(receiver.query().state()).isEqualTo(QueuePairState.ERR);
            }
        }
    }

    /// Without room for an element, rxe has none for inline data, although it reports some. Therefore one element is
    /// always requested.
    @Test
    @Covers({"ibv_create_qp", "ibv_wr_set_inline_data"})
    void inlineDataGoesOutWithoutRoomForElements() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .left(builder -> builder.maxSendScatterGather(0).maxInlineData(8))
                        .connect()) {
            pair.right().receive(1, 0, 64);
            pair.left()
                    .post(batch -> batch.signaled()
                            .send()
                            .inline(MemorySegment.ofArray(new byte[]{1, 2, 3}))
                            .post());
            assertThat(pair.right().completions().nextSuccess().byteLength()).isEqualTo(3);
            pair.left().completions().nextSuccess();
        }
    }
}
