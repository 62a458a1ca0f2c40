// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.LoggedMessages;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A batch that nobody will end holds up nobody: its thread has ended, or an `Error` has torn its frame away.
class AbandonedBatchTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int DEPTHS = 400;

    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final CompletionQueue queue = context.createCompletionQueue(4);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final SharedReceiveQueue sharedReceives = domain.createSharedReceiveQueue(4, 1);
    private final QueuePair queuePair = InjectedDevices.ready(domain.reliableConnection(queue).create());
    private final MemoryRegion memory = domain.allocate(8, Access.LOCAL_WRITE);

    /// Not closed: what hangs would hang here once more.
    @AfterEach
    void free() {
        device.free();
    }

    @Test
    void ofAThreadThatHasEndedHoldsUpNoClose() throws Exception {
        InThread.PLATFORM.get(() -> queuePair.beginSend().workRequestId(1).send().local(memory, 0, 8).post());
        InThread.PLATFORM.get(() -> queuePair.beginReceive().workRequestId(2).receive(memory, 0, 8));
        InThread.VIRTUAL.get(() -> sharedReceives.beginReceive().receive(memory, 0, 8));
        InThread.VIRTUAL.get(() -> queue.beginPoll().next());

        var closer = InThread.PLATFORM.start(() -> {
            for (VerbsObject object : List.of(queuePair, sharedReceives, queue)) {
                object.close();
            }
            context.close();
            return context.isClosed();
        });

        assertThat(closer.result(LIMIT)).isTrue();
        assertThat(device.left()).isEmpty();
    }

    @Test
    void ofAThreadThatHasEndedPostsNothingAndHoldsUpNoOtherBatch() throws Exception {
        InThread.PLATFORM.get(() -> {
            Thread.currentThread().setName("forgetful");
            return queuePair.beginSend().workRequestId(1).send().local(memory, 0, 8).post();
        });
        try (var log = LoggedMessages.of("io.verbs4j")) {
            var poster = InThread.PLATFORM.start(
                    () -> queuePair.post(new SendWorkRequest().send()
                            .local(memory.local())
                            .workRequestId(2)
                            .signaled()));
            assertThat(poster.result(LIMIT)).isEqualTo(1);
            var next = InThread.PLATFORM.start(
                    () -> queuePair.post(new SendWorkRequest().send()
                            .local(memory.local())
                            .workRequestId(3)
                            .signaled()));
            assertThat(next.result(LIMIT)).isEqualTo(1);
            assertThat(log.all()).as("the heir has left nothing open")
                    .containsExactly(
                            "WARNING thread 'forgetful' (TERMINATED) left a batch of sends on RC queue pair 17 open: the thread"
                                    + " ended, or an Error ended its frame. The batch is discarded");
        }
        assertThat(queuePair.readSendRing().orElseThrow().fill()).isEqualTo(2);
        assertThat(queuePair.readSendRing().orElseThrow().oldestWorkRequestId()).isEqualTo(2);
        context.close();
    }

    /// Otherwise, the next bind would name a key that the device does not know, and the queue pair would fail.
    @Test
    void ofAThreadThatHasEndedLeavesAWindowItsKey() throws Exception {
        var region = domain.allocate(8, Access.MEMORY_WINDOW_BIND);
        var window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        int key = window.remoteKey();
        InThread.PLATFORM.get(
                () -> queuePair.beginSend().bind(window, Access.REMOTE_READ).local(region, 0, 8).post());
        assertThat(window.remoteKey()).isNotEqualTo(key);
        try (var _ = queuePair.beginSend()) {
            assertThat(window.remoteKey()).isEqualTo(key);
        }
    }

    @Test
    void ofALivingThreadIsNamedByTheCloseThatItHoldsUp() throws Exception {
        var open = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        var holder = InThread.PLATFORM.start(() -> {
            Thread.currentThread().setName("forgetful");
            try (var batch = queuePair.beginSend()) {
                open.countDown();
                return done.await(LIMIT.toSeconds(), TimeUnit.SECONDS) && batch.submit() == 0;
            }
        });
        open.await();
        System.setProperty("verbs4j.close.timeout", "1");
        try {
            assertThatIllegalStateException()
                    .isThrownBy(queuePair::close)
                    .withMessageContainingAll("RC queue pair 17", "thread 'forgetful'", "batch of sends", "1 s");
        } finally {
            System.clearProperty("verbs4j.close.timeout");
        }
        done.countDown();
        assertThat(holder.result()).as("its batch still stood").isTrue();
        queuePair.close();
        assertThat(queuePair.isClosed()).isTrue();
    }

    /// At each of many depths near the end of the stack, so that it ends in each of the methods below the operation.
    @ParameterizedTest
    @EnumSource
    void holdsUpNobodyWhereTheStackEnded(Operation operation) throws Exception {
        overflow(() -> start(operation));
    }

    /// Describes what locks a queue for itself.
    private enum Operation {
        POST,
        POST_RECEIVES,
        POST_SHARED_RECEIVES,
        POLL
    }

    private void start(Operation operation) {
        var receives = List.of(ReceiveWorkRequest.into(memory.local()));
        switch (operation) {
            case POST -> queuePair.post(new SendWorkRequest().send().local(memory.local()));
            case POST_RECEIVES -> queuePair.postReceives(receives);
            case POST_SHARED_RECEIVES -> sharedReceives.postReceives(receives);
            case POLL -> queue.poll(1, _ -> {});
        }
    }

    private void overflow(Runnable operation) throws Exception {
        operation.run();
        var overflown = InThread.PLATFORM.start(() -> {
            var overflows = new AtomicInteger();
            for (int depth = 0; depth < DEPTHS; depth++) {
                descend(depth, operation, overflows);
            }
            // The thread lives on, and its own next batch is not in its way either.
            queuePair.beginSend().close();
            queuePair.beginReceive().close();
            sharedReceives.beginReceive().close();
            queue.beginPoll().close();
            return overflows.get();
        });
        assertThat(overflown.result(LIMIT.multipliedBy(3))).isPositive();
        var others = InThread.PLATFORM.start(() -> {
            context.close();
            return context.isClosed();
        });
        assertThat(others.result(LIMIT)).isTrue();
        assertThat(device.left()).isEmpty();
    }

    /// Descends to the end of the stack, and starts the operation some frames above it.
    private static int descend(int above, Runnable operation, AtomicInteger overflows) {
        int left;
        try {
            left = descend(above, operation, overflows);
        } catch (StackOverflowError e) {
            return above;
        }
        if (left == 0) {
            try {
                operation.run();
            } catch (StackOverflowError e) {
                overflows.incrementAndGet();
            }
        }
        return left - 1;
    }
}
