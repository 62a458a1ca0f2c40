// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.InjectedDevices;
import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.BeforeCommands;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sleeping until completions arrive.
@AnyDevice
@DeviceTest
@Covers({"ibv_create_comp_channel", "ibv_destroy_comp_channel"})
@Needs.EachKernel
class CompletionChannelIT {
    private static final Duration SHORT = Duration.ofMillis(50);
    /// Longer than any test: a wait that only ends with its timeout fails.
    private static final Duration LONG_TIMEOUT = Duration.ofHours(1);

    /// Channels on which nothing happens.
    @Nested
    class Quiet {
        private final Context context = Wire.open();
        private final CompletionChannel channel = context.createCompletionChannel();

        @AfterEach
        void close() {
            context.close();
        }

        @ParameterizedTest
        @EnumSource
        void endsAWaitAfterItsTimeout(InThread kind) throws Exception {
            var queue = queue();
            long started = System.nanoTime();

            assertThat(kind.get(() -> queue.await(1, completion -> {}, SHORT))).isZero();
            assertThat(kind.get(() -> channel.take(SHORT) == null)).isTrue();

            assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(2 * SHORT.toNanos());
        }

        @Test
        void looksOnceWithoutATimeout() throws InterruptedException {
            assertThat(channel.take(Duration.ZERO)).isNull();
            assertThat(queue().await(1, completion -> {}, Duration.ZERO)).isZero();
        }

        @Test
        void refusesANegativeTimeout() {
            assertThatThrownBy(() -> channel.take(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("timeout=");
        }

        @ParameterizedTest
        @EnumSource
        void letsAnInterruptEndAWait(InThread kind) {
            var queue = queue();
            var onQueue = kind.start(() -> queue.await(1, completion -> {}, Eventually.LIMIT));
            var onChannel = kind.start(() -> channel.take(Eventually.LIMIT));
            sleepAMoment();

            onQueue.interrupt();
            onChannel.interrupt();

            assertThat(onQueue.failure()).isInstanceOf(InterruptedException.class);
            assertThat(onChannel.failure()).isInstanceOf(InterruptedException.class);
            assertThat(queue.poll(1, completion -> {})).as("the queue still works").isZero();
        }

        @ParameterizedTest
        @EnumSource
        @Covers("ibv_get_cq_event")
        void closedInThatTimeEndsAWait(InThread kind) {
            var waiting = kind.start(() -> channel.take(Eventually.LIMIT));
            sleepAMoment();

            channel.close();

            assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        }

        @ParameterizedTest
        @EnumSource
        void endsTheWaitForAQueueThatIsClosedInThatTime(InThread kind) {
            var queue = queue();
            var waiting = kind.start(() -> queue.await(1, completion -> {}, Eventually.LIMIT));
            sleepAMoment();

            queue.close();

            assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class).hasMessage(queue + " is closed");
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 5})
        void endsAllWaitsWhenTheContextIsClosed(int waiters) {
            var queue = queue();
            var waiting = IntStream.range(0, waiters)
                    .mapToObj(i -> InThread.VIRTUAL.start(() -> queue.await(1, completion -> {}, Eventually.LIMIT)))
                    .toList();
            sleepAMoment();

            context.close();

            assertThat(waiting).allSatisfy(wait -> assertThat(wait.failure())
                    .isInstanceOf(IllegalStateException.class));
        }

        @Test
        @Scenario("test_cq.CQAPITest.test_create_cq_with_comp_channel")
        void refusesToCloseWhileAQueueUsesItAndNamesTheQueue() {
            var queue = queue();

            assertThatThrownBy(channel::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(channel + " is still used by " + queue);

            queue.close();
            assertThatCode(channel::close).doesNotThrowAnyException();
            assertThatCode(channel::close).doesNotThrowAnyException();
        }

        @Test
        void isOfOneContextOnly() {
            try (Context other = Wire.open()) {
                assertThatThrownBy(() -> other.createCompletionQueue(
                        CompletionQueueOptions.entries(16).withChannel(channel)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(channel + " belongs to another context");
            }
        }

        private CompletionQueue queue() {
            return context.createCompletionQueue(
                    CompletionQueueOptions.entries(16).withChannel(channel));
        }
    }

    /// Completions that arrive after the queue was found empty and before it is armed: no event comes for them.
    @NotOverSiw("no command arms a queue, before which something could arrive")
    @ParameterizedTest
    @EnumSource
    @Covers("ibv_req_notify_cq")
    void doNotSleepOverWhatArrivesJustBeforeTheyAreArmed(InThread kind) throws Exception {
        var beforeArming = new AtomicReference<Runnable>(() -> {});
        var file = BeforeCommands.of(Rxe.openFile(), () -> beforeArming.getAndSet(() -> {}).run());
        try (Context context = InjectedDevices.open(file)) {
            var sends = context.createCompletionQueue(4);
            var receives = context.createCompletionQueue(
                    CompletionQueueOptions.entries(4).withChannel(context.createCompletionChannel()));
            var domain = context.allocateProtectionDomain();
            var memory = domain.allocate(8, Access.LOCAL_WRITE);
            var prepared = domain.reliableConnection(sends)
                    .receiveCompletionQueue(receives)
                    .gid(GidSelector.index(Rxe.IPV4_INDEX))
                    .prepare();
            QueuePair queuePair = prepared.connect(prepared.endpoint());
            try (var batch = queuePair.beginReceive()) {
                batch.receive(memory, 0, 8);
                batch.submit();
            }
            beforeArming.set(() -> {
                try (var batch = queuePair.beginSend()) {
                    batch.signaled().send().local(memory, 0, 8).post();
                    batch.submit();
                }
                Eventually.until(() -> sends.poll(1, completion -> {}) == 1, queuePair::toString);
            });

            assertThat(kind.get(() -> receives.await(1, completion -> {}, LONG_TIMEOUT))).isEqualTo(1);
        }
    }

    /// Channels of queues that things complete on.
    @Nested
    class Busy {
        private final ConnectedPair pair =
                ConnectedPair.onTheWire().withChannels().connect();
        private final End left = pair.left();
        private final End right = pair.right();

        @AfterEach
        void close() {
            pair.close();
        }

        @ParameterizedTest
        @EnumSource
        @Covers({"ibv_get_cq_event", "ibv_req_notify_cq", "ibv_ack_cq_events"})
        void wakesAThreadThatWaits(InThread kind) throws Exception {
            right.receive(7, 0, 64);
            var received = new ArrayList<CompletionRecord>();
            var waiting = kind.start(() -> right.queue()
                    .await(8, completion -> received.add(completion.toRecord()), Eventually.LIMIT));
            sleepAMoment();

            left.send(1, 0, 64);

            assertThat(waiting.result()).isEqualTo(1);
            assertThat(received).extracting(CompletionRecord::workRequestId).containsExactly(7L);
        }

        @ParameterizedTest
        @EnumSource
        @Covers("ibv_req_notify_cq")
        void doesNotSleepOverWhatIsThereAlready(InThread kind) throws Exception {
            right.receiveNothing(1);
            left.send(1, 0, 0);
            left.completions().nextSuccess();

            assertThat(kind.get(() -> right.queue().await(1, completion -> {}, LONG_TIMEOUT))).isEqualTo(1);
        }

        @Test
        @Scenario("test_cq_events.CqEventsTestCase.test_cq_events_rc")
        void losesNothingInAPingPongOfSleepers() throws Exception {
            int rounds = 100;
            right.receiveNothing(rounds);
            left.receiveNothing(rounds);
            var echo = InThread.VIRTUAL.start(() -> {
                for (int i = 0; i < rounds; i++) {
                    awaitReceives(right, 1);
                    right.post(batch -> batch.send().local(right.memory(), 0, 0).post());
                }
                return rounds;
            });
            for (int i = 0; i < rounds; i++) {
                left.post(batch -> batch.send().local(left.memory(), 0, 0).post());
                awaitReceives(left, 1);
            }
            assertThat(echo.result()).isEqualTo(rounds);
        }

        @Test
        @Covers({"ibv_get_cq_event", "ibv_req_notify_cq"})
        void reportsOncePerArming() throws InterruptedException {
            right.receiveNothing(3);
            right.queue().requestNotification(false);
            left.send(1, 0, 0);
            assertThat(right.channel().take(Eventually.LIMIT)).isSameAs(right.queue());

            left.send(2, 0, 0);
            left.completions().nextSuccesses(2);
            assertThat(right.channel().take(SHORT)).as("not armed again").isNull();

            right.completions().nextSuccesses(2);
            right.queue().requestNotification(false);
            left.send(3, 0, 0);
            assertThat(right.channel().take(Eventually.LIMIT)).isSameAs(right.queue());
        }

        @NotOverSiw("siw raises no event for solicited messages")
        @Test
        @Covers("ibv_req_notify_cq")
        void reportsSolicitedMessagesOnlyIfArmedSo() throws InterruptedException {
            right.receiveNothing(2);
            right.queue().requestNotification(true);
            left.send(1, 0, 0);
            right.completions().nextSuccess();
            assertThat(right.channel().take(SHORT)).as("nobody solicited this one").isNull();

            left.post(batch -> batch.solicited().send().local(left.memory(), 0, 0).post());
            assertThat(right.channel().take(Eventually.LIMIT)).isSameAs(right.queue());
        }

        @NotOverSiw("whether flushed receives count is a rule of each rxe")
        @Test
        void reportsNoFailuresIfArmedForSolicitedMessages() throws InterruptedException {
            right.receiveNothing(2);
            right.queue().requestNotification(true);
            right.modify(QueuePairState.ERR);
            right.completions().next(2);
            var reported = Kernel.countsFlushedReceivesAsSolicited()
                    ? right.channel().take(Eventually.LIMIT)
                    : right.channel().take(SHORT);
            assertThat(reported).isSameAs(Kernel.countsFlushedReceivesAsSolicited() ? right.queue() : null);
        }

        @NotOverSiw("iWARP has no immediate data")
        @Test
        void countsEachSolicitedKindOfMessage() throws InterruptedException {
            right.receiveNothing(3);
            for (End.Send send : List.<End.Send>of(
                    batch -> batch.solicited().send().local(left.memory(), 0, 0).post(),
                    batch -> batch.solicited().send().immediate(1).local(left.memory(), 0, 0).post(),
                    batch -> batch.solicited()
                            .write()
                            .immediate(1)
                            .local(left.memory(), 0, 8)
                            .remote(right.memory().remote())
                            .post())) {
                right.queue().requestNotification(true);
                left.post(send);
                assertThat(right.channel().take(Eventually.LIMIT)).isSameAs(right.queue());
                right.completions().nextSuccess();
            }
        }

        @NotOverSiw("a queue pair cannot be connected with itself")
        @Test
        @Covers("ibv_get_cq_event")
        void reportsWhichOfSeveralQueuesItIs() throws InterruptedException {
            var first = new Loop(left);
            var second = new Loop(left);
            first.queue.requestNotification(false);
            second.queue.requestNotification(false);

            second.write();
            assertThat(left.channel().take(Eventually.LIMIT)).isSameAs(second.queue);
            first.write();
            assertThat(left.channel().take(Eventually.LIMIT)).isSameAs(first.queue);
            assertThat(left.channel().take(SHORT)).isNull();
        }

        @NotOverSiw("a queue pair cannot be connected with itself")
        @Test
        void keepsTheEventsOfOtherQueuesForTheirOwnThreads() throws InterruptedException {
            var first = new Loop(left);
            var second = new Loop(left);
            second.queue.requestNotification(false);
            second.write();

            assertThat(first.queue.await(1, completion -> {}, SHORT)).isZero();
            assertThat(left.channel().take(Duration.ZERO)).isSameAs(second.queue);
        }

        @NotOverSiw("a queue pair cannot be connected with itself")
        @Test
        @Covers({"ibv_ack_cq_events", "ibv_destroy_cq"})
        void forgetsTheEventsOfAQueueThatIsClosed() throws InterruptedException {
            var doomed = new Loop(left);
            doomed.queue.requestNotification(false);
            doomed.write();
            Eventually.until(() -> doomed.queue.poll(1, completion -> {}) == 1, left::toString);
            doomed.queuePair.close();
            doomed.queue.close();

            assertThat(left.channel().take(SHORT)).isNull();
        }

        @NotOverSiw("a queue pair cannot be connected with itself")
        @Test
        void wakesManyVirtualThreadsThatShareAChannel() throws Exception {
            int queues = 20;
            var waiting = new ArrayList<InThread.Started<Integer>>();
            var loops = new ArrayList<Loop>();
            for (int i = 0; i < queues; i++) {
                var loop = new Loop(left);
                loops.add(loop);
                waiting.add(InThread.VIRTUAL.start(() -> loop.queue.await(1, completion -> {}, Eventually.LIMIT)));
            }
            loops.reversed().forEach(Loop::write);

            for (var wait : waiting) {
                assertThat(wait.result()).isEqualTo(1);
            }
        }

        private void awaitReceives(End end, int count) throws InterruptedException {
            var received = new ArrayList<CompletionRecord>();
            while (received.size() < count) {
                int taken = end.queue()
                        .await(
                                count - received.size(),
                                completion -> received.add(completion.toRecord()),
                                Eventually.LIMIT);
                assertThat(taken).as(end::toString).isPositive();
            }
            assertThat(received).allMatch(CompletionRecord::isSuccess);
        }
    }

    /// A queue pair that is connected with itself, with a completion queue of its own on the end's channel.
    private static final class Loop {
        private final End end;
        private final CompletionQueue queue;
        private final QueuePair queuePair;

        Loop(End end) {
            this.end = end;
            this.queue = end.context()
                    .createCompletionQueue(CompletionQueueOptions.entries(16).withChannel(end.channel()));
            var prepared = end.domain().reliableConnection(queue).maxSends(4).prepare();
            this.queuePair = prepared.connect(prepared.endpoint());
        }

        void write() {
            try (var batch = queuePair.beginSend()) {
                batch.signaled().write().local(end.memory(), 0, 8).remote(end.memory().remote(), 8).post();
                batch.submit();
            }
        }
    }

    /// Long enough, as a rule, for other threads to fall asleep; nothing fails if it is not.
    private static void sleepAMoment() {
        try {
            Thread.sleep(SHORT);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
