// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.BrokenEventSet;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Work in other threads: tasks that are cancelled, threads whose handlers fail, and explanations of silence.
@Timeout(60)
class BackgroundTest {
    private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

    private String next() throws InterruptedException {
        return String.valueOf(done.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void aTaskCompletesItsFuture() throws Exception {
        AutoCloseable result = () -> done.add("closed");
        assertThat(Background.run(() -> result).get(20, TimeUnit.SECONDS)).isSameAs(result);
        assertThat(done).isEmpty();
        var failure = new IllegalStateException("failed");
        assertThatThrownBy(() -> Background.run(() -> {
            throw failure;
        }).get(20, TimeUnit.SECONDS)).hasCause(failure);
    }

    @Test
    void aCancelledTaskIsInterruptedAndItsResultClosed() throws Exception {
        var begun = new CountDownLatch(1);
        CompletableFuture<AutoCloseable> future = Background.run(() -> {
            begun.countDown();
            try {
                Thread.sleep(Duration.ofSeconds(20));
                done.add("not interrupted");
            } catch (InterruptedException e) {
                done.add("interrupted");
            }
            return () -> done.add("closed");
        });
        begun.await();
        assertThat(future.cancel(false)).isTrue();
        assertThat(List.of(next(), next())).containsExactly("interrupted", "closed");
        assertThat(future.cancel(false)).as("again").isTrue();
        assertThat(done).isEmpty();
    }

    static Stream<Named<Runnable>> faults() {
        return Stream.of(
                Named.of("exception", () -> {
                    throw new IllegalArgumentException("of the handler");
                }),
                Named.of("exception of a closed object", () -> {
                    throw new IllegalStateException("of the handler");
                }),
                Named.of("error", () -> {
                    throw new AssertionError("of the handler");
                }),
                Named.of("interrupt", () -> Thread.currentThread().interrupt()));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void completionsAreDispatchedAfterAHandlerHasFailed(Runnable fault) throws Exception {
        try (var pair = new MessagePair()) {
            var events = new CompletionEvents(pair.hereQueue.context().createCompletionChannel());
            var first = pair.hereQueue.context()
                    .createCompletionQueue(
                            CompletionQueueOptions.entries(8).withChannel(events.channel()));
            var queuePair = pair.domain.reliableConnection(first).prepare();
            var connected = queuePair.connect(queuePair.endpoint());
            events.handle(() -> {
                done.add("handled");
                fault.run();
            }, _ -> done.add("failed"));
            for (int i = 0; i < 2; i++) {
                complete(connected);
                assertThat(next()).isEqualTo("handled");
            }
            assertThat(events.isWatchable()).isFalse();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void connectionsFailIfTheKernelRefusesToWaitForTheirEvents() throws Throwable {
        CompletionWatch watch = BrokenEventSet.of(CompletionWatch::create);
        assertThat(watch.start().join(Duration.ofSeconds(20))).as("the thread ends").isTrue();
        try (var pair = new MessagePair()) {
            var events = new CompletionEvents(pair.hereQueue.context().createCompletionChannel());
            events.handle(() -> {}, failure -> {
                done.add("failed with " + failure.errno());
                throw new IllegalStateException("of the program");
            });
            watch.report(events, false);
            assertThat(done).isEmpty();
            watch.report(events, true); // does not throw, so that other connections are told, too
            assertThat(done.remove()).isEqualTo("failed with " + Errno.EINVAL);
            events.handle(() -> {}, failure -> done.add("had failed with " + failure.errno()));
            assertThat(done.remove()).isEqualTo("had failed with " + Errno.EINVAL);
        }
        watch.close();
    }

    /// Arms the queue, and completes a write of no bytes.
    private static void complete(QueuePair queuePair) {
        var memory = queuePair.protectionDomain()
                .allocate(8, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        queuePair.sendCompletionQueue().requestNotification(false);
        queuePair.post(new SendWorkRequest().signaled().write().remote(memory.remote()));
        while (queuePair.sendCompletionQueue().poll(8, _ -> {}) == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aDeviceThatDoesNotAnswerIsNamed() {
        try (var pair = new MessagePair()) {
            assertThat(Silence.explain(pair.here, "otherwise")).isEqualTo("otherwise");
            pair.here.close();
            assertThat(Silence.explain(pair.here, "otherwise"))
                    .isEqualTo("the device rxe0 does not answer either: " + pair.here + " is closed");
        }
    }

    @Test
    void aGroupOpensOneChannelForAllUsers() throws Exception {
        try (var network = SimulatedNetwork.inRealTime()) {
            try (var _ = Host.replaceCurrent(network.addHost("host", KernelProfile.LINUX_6_12))) {
                assertOneChannel();
            }
        }
    }

    private static void assertOneChannel() throws Exception {
        ConnectionGroup group = ConnectionGroup.create();
        EventChannel channel = group.joinChannel();
        assertThat(group.joinChannel()).isSameAs(channel);
        group.leaveChannel();
        assertThat(channel.isClosed()).isFalse();
        group.leaveChannel();
        assertThat(channel.isClosed()).isTrue();
        EventChannel other = group.joinChannel();
        assertThat(other).isNotSameAs(channel);
        group.close();
        assertThat(other.isClosed()).isTrue();
        assertThatThrownBy(() -> group.joinChannel()).isInstanceOf(IllegalStateException.class)
                .hasMessage("the connection group is closed");
        CompletableFuture.runAsync(() -> { // another thread, which would wait for a lock that a failed call has left
            group.leaveChannel();
            group.close();
        }).get(20, TimeUnit.SECONDS);
    }
}
