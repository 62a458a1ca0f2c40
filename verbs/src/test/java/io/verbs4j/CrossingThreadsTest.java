// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Threads that need what another one holds never wait for each other in a circle: on a simulated device.
class CrossingThreadsTest {
    /// Longer than anything takes that does not hang.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String QUERIED = "query queue pair";
    private static final String REREGISTERED = "reregister memory";

    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final CompletionQueue queue = context.createCompletionQueue(4);
    private final QueuePair queuePair =
            context.allocateProtectionDomain().reliableConnection(queue).create();

    CrossingThreadsTest() {
        device.completeAtDoorbell();
        connect(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);
    }

    /// Not closed: what hangs would hang here once more.
    @AfterEach
    void free() {
        device.free();
    }

    @Test
    void aHandlerMayCloseAQueuePairThatAnotherThreadCloses() throws Exception {
        var memory = queuePair.protectionDomain().allocate(8, Access.LOCAL_WRITE);
        queuePair.post(new SendWorkRequest().send().local(memory.local()).signaled());
        var handled = InThread.PLATFORM.start(() -> queue.poll(1, _ -> {
            var closer = InThread.PLATFORM.start(() -> {
                queuePair.close();
                return queuePair.isClosed();
            });
            Eventually.until(LIMIT, queuePair::isClosed, closer::toString);
            queuePair.close();
        }));
        assertThat(handled.result(LIMIT.multipliedBy(2))).isEqualTo(1);
    }

    @Test
    void aResetLetsAThreadInAReceiveBatchBeginASend() throws Exception {
        var posted = InThread.PLATFORM.start(() -> {
            InThread.Started<QueuePairState> resetting;
            try (var receives = queuePair.beginReceive()) {
                resetting = InThread.PLATFORM.start(() -> {
                    reset();
                    return queuePair.state();
                });
                Eventually.until(LIMIT, resetting::isWaiting, resetting::toString);
                queuePair.beginSend().close();
                assertThat(receives.submit()).isZero();
            }
            return resetting.result(LIMIT);
        });
        assertThat(posted.result(LIMIT.multipliedBy(3))).isEqualTo(QueuePairState.RESET);
    }

    @Test
    void aResetWithinABatchIsRefusedWithoutWaitingForTheBatchesOfOthers() throws Exception {
        var open = new CountDownLatch(1);
        var refused = new CountDownLatch(1);
        var other = InThread.PLATFORM.start(() -> {
            try (var receives = queuePair.beginReceive()) {
                open.countDown();
                return refused.await(LIMIT.toSeconds(), TimeUnit.SECONDS) && receives.submit() == 0;
            }
        });
        open.await();
        try (var sends = queuePair.beginSend()) {
            assertThatIllegalStateException().isThrownBy(this::reset).withMessageContaining("batch of sends");
            refused.countDown();
            assertThat(sends.submit()).isZero();
        }
        assertThat(other.result()).as("the other had not to end its batch first").isTrue();
        reset();
    }

    @Test
    void aStateThatWasAskedForIsNotNotedOverALaterOne() throws Exception {
        reset();
        connect(QueuePairState.INIT, QueuePairState.RTR);
        var others = during(QUERIED, () -> connect(QueuePairState.RTS));

        assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RTR);

        others.getFirst().result(LIMIT);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        queuePair.beginSend().close();
    }

    @Test
    void aReceiveThatIsPostedInErrDoesNotEndAQueuePairThatAnotherThreadRecovers() throws Exception {
        connect(QueuePairState.ERR);
        var others = during(
                QUERIED,
                () -> connect(QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS));

        try (var batch = queuePair.beginReceive()) {
            batch.post(0, 0, 0);
            batch.submit();
        }

        others.getFirst().result(LIMIT);
        assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void aRegionThatTwoThreadsMoveBelongsToTheLastDomainOnly() throws Exception {
        var first = queuePair.protectionDomain();
        var second = context.allocateProtectionDomain();
        var third = context.allocateProtectionDomain();
        var region = first.allocate(8, Access.LOCAL_WRITE);
        var others = during(REREGISTERED, () -> region.moveTo(third));

        region.moveTo(second);

        others.getFirst().result(LIMIT);
        assertThat(region.protectionDomain()).isSameAs(third);
        second.close();
        assertThatIllegalStateException().isThrownBy(third::close).withMessageContaining("still used by " + region);
        region.close();
        third.close();
    }

    /// Lets another thread run when an event has happened and its caller has not noticed it yet. The caller continues
    /// when the other thread has finished or waits.
    private List<InThread.Started<Boolean>> during(String event, Runnable action) {
        var started = new ArrayList<InThread.Started<Boolean>>();
        device.after(event, () -> {
            var other = InThread.PLATFORM.start(() -> {
                action.run();
                return true;
            });
            Eventually.until(LIMIT, () -> other.isDone() || other.isWaiting(), other::toString);
            started.add(other);
        });
        return started;
    }

    private void connect(QueuePairState... states) {
        for (QueuePairState state : states) {
            queuePair.modify(QueuePairAttributes.builder().state(state).build());
        }
    }

    private void reset() {
        connect(QueuePairState.RESET);
    }
}
