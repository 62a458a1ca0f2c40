// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.AnyDevice.AlsoOverMlx5;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Waiting for asynchronous events, whatever they are about: looking, taking with a limit, a stream of them.
@DeviceTest
@AlsoOverMlx5
@Covers({"ibv_get_async_event", "ibv_ack_async_event"})
@Needs.EachKernel
class AsyncEventsIT {
    /// Longer than any test: a wait that only ends with its timeout fails.
    private static final Duration LONG_TIMEOUT = Duration.ofHours(1);

    private final Context context = Rxe.open();
    private final CompletionQueue queue = context.createCompletionQueue(16);
    private final QueuePair queuePair = connectedWithItself();

    private QueuePair connectedWithItself() {
        var prepared = context.allocateProtectionDomain().reliableConnection(queue).prepare();
        return prepared.connect(prepared.endpoint());
    }

    @AfterEach
    void close() {
        context.close();
    }

    /// Drains the send queue, which the device reports by an event.
    private void causeEvent() {
        causeEvent(queuePair);
    }

    private static void causeEvent(QueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.SQD).build());
        Eventually.until(() -> !queuePair.query().sendQueueDraining(), queuePair::toString);
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
    }

    @Test
    void findNothingWhereNothingHappened() throws InterruptedException {
        assertThat(context.asyncEvents().poll()).isNull();
        assertThat(context.asyncEvents().take(Duration.ofMillis(20))).isNull();
        assertThatThrownBy(() -> context.asyncEvents().take(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("timeout=");
    }

    @Test
    void areFoundInOrderAndOnce() {
        QueuePair other = connectedWithItself();
        List<QueuePair> order = List.of(queuePair, other, other, queuePair, other);
        order.forEach(AsyncEventsIT::causeEvent);
        for (QueuePair expected : order) {
            assertThat(context.asyncEvents().poll())
                    .isEqualTo(new AsyncEvent(AsyncEventType.SEND_QUEUE_DRAINED, expected, 0));
        }
        assertThat(context.asyncEvents().poll()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void wakeAThreadThatWaits(InThread kind) throws Exception {
        var waiting = kind.start(() -> context.asyncEvents().take(Eventually.LIMIT));
        causeEvent();
        assertThat(waiting.result()).isNotNull().returns(queuePair, AsyncEvent::object);
    }

    @ParameterizedTest
    @EnumSource
    void stopWaitingWhenInterrupted(InThread kind) throws Exception {
        var waiting = waiting(kind);
        waiting.interrupt();
        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    }

    @ParameterizedTest
    @EnumSource
    void doNotWaitInAThreadThatIsInterruptedAlready(InThread kind) {
        var waiting = kind.start(() -> {
            Thread.currentThread().interrupt();
            return context.asyncEvents().take(LONG_TIMEOUT);
        });
        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    }

    @ParameterizedTest
    @EnumSource
    void stopWaitingWhenTheContextIsClosed(InThread kind) throws Exception {
        var waiting = waiting(kind);
        context.close();
        assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> context.asyncEvents().poll()).isInstanceOf(IllegalStateException.class);
    }

    /// Starts a thread that waits for an event, and gives it the time to fall asleep.
    private InThread.Started<AsyncEvent> waiting(InThread kind) throws InterruptedException {
        var entered = new CountDownLatch(1);
        var waiting = kind.start(() -> {
            entered.countDown();
            return context.asyncEvents().take(LONG_TIMEOUT);
        });
        await(entered);
        Thread.sleep(100);
        assertThat(waiting.isDone()).isFalse();
        return waiting;
    }

    @ParameterizedTest
    @EnumSource
    void streamUntilTheContextIsClosed(InThread kind) throws Exception {
        var seen = new ConcurrentLinkedQueue<AsyncEvent>();
        var watching = kind.start(() -> {
            context.asyncEvents().forEach(seen::add);
            return "ended";
        });
        causeEvent();
        causeEvent();
        Eventually.until(() -> seen.size() == 2, seen::toString);
        context.close();
        assertThat(watching.result()).isEqualTo("ended");
    }

    @ParameterizedTest
    @EnumSource
    void streamUntilTheThreadIsInterrupted(InThread kind) throws Exception {
        var seen = new CountDownLatch(1);
        var watching = kind.start(() -> {
            context.asyncEvents().forEach(event -> seen.countDown());
            return Thread.currentThread().isInterrupted();
        });
        causeEvent();
        await(seen);
        watching.interrupt();
        assertThat(watching.result()).as("the interrupt stays pending").isTrue();
    }

    @Test
    void reachOneOfManyTakers() throws Exception {
        int count = 12;
        List<AsyncEvent> seen = Collections.synchronizedList(new ArrayList<>());
        var takers = new ArrayList<InThread.Started<Integer>>();
        for (int i = 0; i < 4; i++) {
            takers.add((i % 2 == 0 ? InThread.VIRTUAL : InThread.PLATFORM).start(() -> {
                int own = 0;
                while (seen.size() < count) {
                    AsyncEvent event = context.asyncEvents().take(Duration.ofMillis(50));
                    if (event != null) {
                        seen.add(event);
                        own++;
                    }
                }
                return own;
            }));
        }
        for (int i = 0; i < count; i++) {
            causeEvent();
        }
        int sum = 0;
        for (var taker : takers) {
            sum += taker.result();
        }
        assertThat(sum).isEqualTo(count);
        assertThat(seen).hasSize(count).allMatch(event -> queuePair.equals(event.object()));
        assertThat(context.asyncEvents().poll()).isNull();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Eventually.LIMIT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
