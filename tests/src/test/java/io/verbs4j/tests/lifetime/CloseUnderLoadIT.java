// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Closing while other threads are at work: they get `IllegalStateException`, nothing crashes, and nothing is left.
@AnyDevice
@DeviceTest
@Needs.OneKernel("the locks are those of this process")
class CloseUnderLoadIT {
    private static final int ROUNDS = 5;
    /// So many requests are posted only if earlier ones complete.
    private static final int MORE_THAN_A_RING = 300;
    /// Holds the outcomes that a thread may see, depending on how far its call has come.
    private static final String GONE = ".* is (closed|destroyed).*";

    private final AtomicBoolean over = new AtomicBoolean();

    /// Threads that a failed test leaves at work would slow down, and fail, the tests after it.
    @AfterEach
    void endAllThreads() {
        over.set(true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsAThreadThatPolls(boolean singleThreaded) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            try (var pair = pair(singleThreaded)) {
                var queue = pair.left().queue();
                var poller = inLoop(() -> queue.poll(16, completion -> {}));
                pair.left().queuePair().close();

                queue.close();

                assertThat(poller.failure()).isInstanceOf(IllegalStateException.class);
                assertThat(queue.isClosed()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsAThreadThatPosts(boolean singleThreaded) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (var pair = pair(singleThreaded)) {
                var left = pair.left();
                var written = new AtomicInteger();
                var received = new AtomicInteger();
                var polled = new AtomicInteger();
                var drained = new AtomicBoolean();
                InThread.Started<Boolean> drain =
                        InThread.PLATFORM.start(() -> drain(left.queue(), polled, drained));
                var poster = inLoop(() -> write(pair) ? written.incrementAndGet() : 0);
                var receiver = inLoop(() -> receive(left) ? received.incrementAndGet() : 0);
                Eventually.until(
                        () -> written.get() > MORE_THAN_A_RING && received.get() > 2 && polled.get() > 0,
                        () -> "written " + written + ", received " + received + ", polled " + polled);
                assertThat(poster.isDone()).as("posts until the queue pair is closed").isFalse();
                assertThat(receiver.isDone()).as("posts until the queue pair is closed").isFalse();

                left.queuePair().close();

                assertThat(poster.failure()).isInstanceOf(IllegalStateException.class).hasMessageMatching(GONE);
                assertThat(receiver.failure()).isInstanceOf(IllegalStateException.class)
                        .hasMessageMatching(GONE);
                drained.set(true);
                assertThat(drain.result()).as("polls until it may end").isTrue();
            }
        }
    }

    @RepeatedTest(ROUNDS)
    void endsAllThreadsWhenTheContextIsClosed() throws InterruptedException {
        try (var pair = pair(false)) {
            var end = pair.left();
            var threads = Stream.of(
                    inLoop(() -> write(pair)),
                    inLoop(() -> receive(end)),
                    inLoop(() -> end.queue().poll(16, completion -> {})),
                    inLoop(() -> end.queue().await(16, completion -> {}, Eventually.LIMIT)),
                    inLoop(() -> end.queuePair().query()),
                    inLoop(() -> end.context().port(1)),
                    inLoop(() -> end.context().asyncEvents().take(Eventually.LIMIT)))
                    .toList();

            end.context().close();

            assertThat(threads).allSatisfy(thread -> assertThat(thread.failure())
                    .isInstanceOf(IllegalStateException.class));
            assertThat(end.queuePair().isClosed()).isTrue();
            assertThat(end.queue().isClosed()).isTrue();
            assertThat(end.memory().isClosed()).isTrue();
            assertThat(end.context().isClosed()).isTrue();
        }
    }

    @RepeatedTest(ROUNDS)
    void mayBeDoneByManyThreadsAtOnce() throws Exception {
        try (var pair = pair(false)) {
            var start = new CountDownLatch(1);
            var closers = Stream.generate(() -> InThread.PLATFORM.start(() -> {
                start.await();
                pair.left().context().close();
                return pair.left().context().isClosed();
            }))
                    .limit(4)
                    .toList();

            start.countDown();

            for (var closer : closers) {
                assertThat(closer.result()).as("closed when close returns").isTrue();
            }
        }
    }

    @Test
    void doesNotStopAThreadThatAsksAboutAQueuePairInABatch() throws Exception {
        try (var pair = pair(false)) {
            var queuePair = pair.left().queuePair();
            InThread.Started<Boolean> closer;
            try (var batch = queuePair.beginSend()) {
                closer = InThread.PLATFORM.start(() -> {
                    queuePair.close(); // waits for the batch
                    return queuePair.isClosed();
                });
                Thread.sleep(50);
                assertThatThrownBy(queuePair::query).isInstanceOf(IllegalStateException.class);
                assertThat(batch.write()
                        .local(pair.left().memory(), 0, 8)
                        .remote(pair.right().memory().remote())
                        .post())
                        .isTrue();
            }
            assertThat(closer.result()).isTrue();
        }
    }

    @Test
    void doesNotStopAHandlerThatArmsItsQueue() throws Exception {
        try (var pair = pair(false)) {
            var queue = pair.left().queue();
            write(pair);
            Eventually.until(() -> queue.poll(1, completion -> {}) == 1, pair.left()::toString);
            pair.left().queuePair().close();
            InThread.Started<Boolean> closer;
            try (var batch = queue.beginPoll()) {
                closer = InThread.PLATFORM.start(() -> {
                    queue.close(); // waits for the batch
                    return queue.isClosed();
                });
                Thread.sleep(50);
                assertThatThrownBy(() -> queue.requestNotification(false)).isInstanceOf(IllegalStateException.class);
                assertThat(batch.next()).isFalse();
            }
            assertThat(closer.result()).isTrue();
        }
    }

    private static ConnectedPair pair(boolean singleThreaded) {
        return ConnectedPair.onOneDevice()
                .withChannels()
                .queues(options -> singleThreaded ? options.withSingleThread() : options)
                .both(builder -> singleThreaded ? builder.singleThreaded() : builder)
                .connect();
    }

    /// Polls until all is `drained`, or the test is over.
    private boolean drain(CompletionQueue queue, AtomicInteger polled, AtomicBoolean drained) {
        while (!drained.get() && !over.get()) {
            polled.addAndGet(queue.poll(16, completion -> {}));
            Thread.onSpinWait();
        }
        return drained.get();
    }

    private static boolean write(ConnectedPair pair) {
        try (var batch = pair.left().queuePair().beginSend()) {
            batch.signaled().write().local(pair.left().memory(), 0, 8).remote(pair.right().memory().remote()).post();
            return batch.submit() == 1;
        }
    }

    private static boolean receive(End end) {
        try (var batch = end.queuePair().beginReceive()) {
            batch.receive(end.memory(), 0, 8);
            return batch.submit() == 1;
        }
    }

    /// Starts a thread that repeats the work until it fails or the test ends. Returns when the thread is about to
    /// start, or a little later.
    private InThread.Started<Boolean> inLoop(Callable<?> work) throws InterruptedException {
        var begun = new CountDownLatch(1);
        InThread.Started<Boolean> started = InThread.PLATFORM.start(() -> {
            begun.countDown();
            while (!over.get()) {
                work.call();
            }
            return false;
        });
        begun.await();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        return started;
    }
}
