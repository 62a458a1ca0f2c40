// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static io.verbs4j.types.CompletionStatus.LOCAL_QP_OPERATION_ERROR;
import static io.verbs4j.types.CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
import static io.verbs4j.types.CompletionStatus.REMOTE_ACCESS_ERROR;
import static io.verbs4j.types.CompletionStatus.REMOTE_INVALID_REQUEST;
import static io.verbs4j.types.CompletionStatus.REMOTE_OPERATION_ERROR;
import static io.verbs4j.types.CompletionStatus.RETRY_EXCEEDED;
import static io.verbs4j.types.CompletionStatus.WORK_REQUEST_FLUSHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.verbs4j.CompletionRecord;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairState;
import java.util.EnumSet;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A work request that fails is a completion with a status, for both ends; what waits behind it is flushed.
@DeviceTest
@Covers({"ibv_poll_cq", "ibv_wc_status_str"})
@Needs.EachKernel
class FailedCompletionsIT {
    private final ConnectedPair pair =
            ConnectedPair.onTheWire().both(FailedCompletionsIT::impatient).connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final RemoteMemory remote = right.memory().remote();

    /// Operations on remote memory, each of which needs a right of its own.
    private enum OneSided {
        WRITE(Access.REMOTE_WRITE),
        READ(Access.REMOTE_READ),
        ATOMIC(Access.REMOTE_ATOMIC);

        private final Access right;

        OneSided(Access right) {
            this.right = right;
        }

        /// Posts work request 1.
        void post(End end, RemoteMemory target) {
            end.post(batch -> {
                SendBatch described = batch.workRequestId(1).local(end.memory(), 0, Long.BYTES).remote(target);
                return (switch (this) {
                    case WRITE -> described.write();
                    case READ -> described.read();
                    case ATOMIC -> described.fetchAndAdd(1);
                }).post();
            });
        }
    }

    /// Gives up after 2 × 4 ms.
    private static QueuePairBuilder impatient(QueuePairBuilder builder) {
        return builder.timeout(10).retryCount(2).rnrRetry(2).minRnrTimer(1);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void messageLongerThanTheReceiveBufferFailsAtBothEnds() {
        right.receive(7, 0, 10);
        right.receive(8, 0, 100);
        left.send(1, 0, 11);
        left.send(2, 0, 10);

        assertFailed(left, 1, REMOTE_OPERATION_ERROR);
        assertFailed(left, 2, WORK_REQUEST_FLUSHED);
        assertFailed(right, 7, LOCAL_QP_OPERATION_ERROR);
        assertFailed(right, 8, WORK_REQUEST_FLUSHED);
        assertInError(left);
        assertInError(right);
    }

    @ParameterizedTest
    @EnumSource
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_rkey")
    void wrongRemoteKeyIsARemoteAccessError(OneSided operation) {
        right.receiveNothing(1);
        operation.post(left, new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() ^ 0x5500));

        assertFailed(left, 1, REMOTE_ACCESS_ERROR);
        assertFailed(right, 0, WORK_REQUEST_FLUSHED);
        assertInError(left);
        assertInError(right);
    }

    @Test
    void rangeBeyondTheRegionIsARemoteAccessError() {
        write(new RemoteMemory(remote.address() + remote.length() - 4, 8, remote.remoteKey()));
        assertFailed(left, 1, REMOTE_ACCESS_ERROR);
    }

    @ParameterizedTest
    @EnumSource
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_mr_access")
    void regionWithoutTheRightIsARemoteAccessError(OneSided operation) {
        var rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        rights.remove(operation.right);
        operation.post(left, right.domain().allocate(64, rights.toArray(Access[]::new)).remote());
        assertFailed(left, 1, REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers("ibv_dereg_mr")
    void regionThatWasClosedIsARemoteAccessError() {
        var gone = right.domain().allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        RemoteMemory stale = gone.remote();
        gone.close();
        write(stale);
        assertFailed(left, 1, REMOTE_ACCESS_ERROR);
    }

    @ParameterizedTest
    @EnumSource
    @Scenario("test_atomic.AtomicTest.test_atomic_invalid_qp_access")
    void operationThatThePeersQueuePairDoesNotPermitIsAnInvalidRequest(OneSided operation) {
        try (var strict = ConnectedPair.onTheWire().right(builder -> builder.access()).connect()) {
            operation.post(strict.left(), strict.right().memory().remote());
            assertFailed(strict.left(), 1, REMOTE_INVALID_REQUEST);
        }
    }

    @Test
    void wrongLocalKeyFailsWithoutReachingThePeer() {
        left.post(batch -> batch.workRequestId(1)
                .write()
                .local(left.memory().address(), 8, left.memory().localKey() ^ 0x5500)
                .remote(remote.address(), remote.remoteKey())
                .post());
        assertFailed(
                left, 1, Kernel.hidesLocalErrorsBehindFlushes() ? WORK_REQUEST_FLUSHED : LOCAL_QP_OPERATION_ERROR);
        assertInError(left);
        assertThat(right.queuePair().query().state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void receiveBufferWithAWrongKeyFailsAtBothEnds() {
        right.postReceives(batch -> batch.workRequestId(7)
                .post(right.memory().address(), 64, right.memory().localKey() ^ 0x5500));
        left.send(1, 0, 8);

        assertFailed(left, 1, REMOTE_OPERATION_ERROR);
        assertFailed(right, 7, LOCAL_QP_OPERATION_ERROR);
    }

    @Test
    void receiveBufferBeyondItsRegionFailsAtBothEnds() {
        long end = right.memory().address() + right.memory().length();
        right.postReceives(batch -> batch.workRequestId(7).post(end - 4, 64, right.memory().localKey()));
        left.send(1, 0, 8);

        assertFailed(left, 1, REMOTE_OPERATION_ERROR);
        assertFailed(right, 7, LOCAL_QP_OPERATION_ERROR);
    }

    @Test
    void receiveBufferOfAClosedRegionFailsAtBothEnds() {
        var region = right.domain().allocate(64, Access.LOCAL_WRITE);
        right.postReceives(batch -> batch.workRequestId(7).receive(region, 0, 64));
        region.close();
        left.send(1, 0, 8);

        assertFailed(left, 1, REMOTE_OPERATION_ERROR);
        assertFailed(right, 7, LOCAL_QP_OPERATION_ERROR);
    }

    @Test
    void writeWithImmediateDataByAWrongKeyShowsAsARemoteAccessErrorAtTheReceiverToo() {
        right.receiveNothing(1);
        var target = new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() ^ 0x5500);
        left.post(batch -> batch.workRequestId(1)
                .write()
                .immediate(5)
                .local(left.memory(), 0, 8)
                .remote(target)
                .post());

        assertFailed(left, 1, REMOTE_ACCESS_ERROR);
        assertFailed(right, 0, REMOTE_ACCESS_ERROR);
    }

    @Test
    void peerThatIsGoneIsRetriedAndThenTheRestIsFlushed() {
        right.queuePair().close();
        for (int id = 1; id <= 5; id++) {
            left.send(id, 0, 8);
        }
        assertFailed(left, 1, RETRY_EXCEEDED);
        for (int id = 2; id <= 5; id++) {
            assertFailed(left, id, WORK_REQUEST_FLUSHED);
        }
        left.completions().assertNone();
        assertInError(left);
    }

    @Test
    void peerWithoutReceivesIsRetriedAndThenTheRestIsFlushed() {
        left.send(1, 0, 8);
        left.send(2, 0, 8);

        assertFailed(left, 1, RECEIVER_NOT_READY_RETRY_EXCEEDED);
        assertFailed(left, 2, WORK_REQUEST_FLUSHED);
        assertThat(right.queuePair().query().state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void failureShowsAlsoIfNobodyAskedForACompletion() {
        left.post(batch -> batch.workRequestId(1).send().local(left.memory(), 0, 8).post());
        assertFailed(left, 1, RECEIVER_NOT_READY_RETRY_EXCEEDED);
    }

    @Test
    @Covers("ibv_modify_qp")
    void everythingPostedIsFlushedWhenTheQueuePairGoesToErr() {
        left.receiveNothing(3);
        left.modify(QueuePairState.ERR);
        assertThat(left.completions().next(3))
                .extracting(CompletionRecord::workRequestId, CompletionRecord::status)
                .containsExactly(flushed(0), flushed(1), flushed(2));
    }

    @Test
    @Covers("ibv_post_send")
    void sendsPostedInErrAreFlushed() {
        left.modify(QueuePairState.ERR);
        left.send(1, 0, 8);
        left.post(batch -> batch.workRequestId(2).write().local(left.memory(), 0, 8).remote(remote).post());
        assertFailed(left, 1, WORK_REQUEST_FLUSHED);
        assertFailed(left, 2, WORK_REQUEST_FLUSHED);
    }

    @Test
    @Covers("ibv_post_recv")
    void receivesPostedInErrAreFlushed() {
        left.modify(QueuePairState.ERR);
        left.receive(1, 0, 8);
        left.receive(2, 0, 8);
        assertFailed(left, 1, WORK_REQUEST_FLUSHED);
        assertFailed(left, 2, WORK_REQUEST_FLUSHED);
    }

    @Test
    void receivesPostedAfterTheDeviceFoundAnErrorAreFlushed() {
        left.send(1, 0, 8);
        assertFailed(left, 1, RECEIVER_NOT_READY_RETRY_EXCEEDED);
        assertInError(left); // asks the kernel, so that the queue pair knows from now on
        left.receive(2, 0, 8);
        assertFailed(left, 2, WORK_REQUEST_FLUSHED);
    }

    @Test
    void completionSaysWhatUsuallyCausesIt() {
        write(new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() ^ 0x5500));
        assertThat(left.completions().next())
                .hasToString("work request 1 on queue pair " + left.queuePair().number()
                        + ": REMOTE_ACCESS_ERROR (" + REMOTE_ACCESS_ERROR.likelyCause() + ")");
    }

    private void write(RemoteMemory target) {
        OneSided.WRITE.post(left, target);
    }

    private static Tuple flushed(long id) {
        return tuple(id, WORK_REQUEST_FLUSHED);
    }

    private static void assertFailed(End end, long workRequestId, CompletionStatus status) {
        CompletionRecord completion = end.completions().next();
        assertThat(completion.status()).as(completion::toString).isEqualTo(status);
        assertThat(completion.workRequestId()).isEqualTo(workRequestId);
        assertThat(completion.queuePairNumber()).isEqualTo(end.queuePair().number());
    }

    private static void assertInError(End end) {
        Eventually.until(() -> end.queuePair().query().state() == QueuePairState.ERR, end::toString);
        assertThat(end.queuePair().state()).isEqualTo(QueuePairState.ERR);
    }
}
