// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.tests.support.BusyCarriers;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads that read events, and a file that lets one of them down.
@Timeout(60)
class EventReaderTest {
    private static final int RECORD = 8;
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final long LATE = Deadline.after(Duration.ofMinutes(1));

    private final Queue<Supplier<Integer>> answers = new ArrayDeque<>();
    private final Queue<MemorySegment> delivered = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    private final Semaphore wakeUps = new Semaphore(0);
    private final EventFile file = (EventFile) Proxy.newProxyInstance(
            EventFile.class.getClassLoader(), new Class<?>[]{EventFile.class}, (_, method, arguments) -> {
                if (method.getName().equals("wake")) {
                    wakeUps.release();
                    return null;
                }
                calls.add(method.getName() + " " + arguments[1]);
                return answers.remove().get();
            });
    private final EventReader reader = new EventReader(file, "read", RECORD, delivered::add);

    private boolean await(long deadline) throws InterruptedException {
        return reader.await(_ -> delivered.poll(), 0, deadline) != null;
    }

    @Test
    void aThreadWhoseReadThrowsLeavesThePlaceToTheNext() throws InterruptedException {
        var failure = new OutOfMemoryError("made up");
        answers.add(() -> {
            throw failure;
        });
        answers.add(() -> RECORD);

        assertThatThrownBy(() -> await(LATE)).isSameAs(failure);
        assertThat(await(LATE)).isTrue();
    }

    /// Not even for the moment that a deadline of the present takes to end a read.
    @Test
    void aThreadThatMayNotWaitOnlyLooks() throws InterruptedException {
        answers.add(() -> 0);
        assertThat(await(Deadline.after(Duration.ZERO))).isFalse();
        assertThat(calls).containsExactly("take 0");
    }

    @Test
    void theFileWaitsUntilTheDeadlineThatTheCallerHasReckoned() throws InterruptedException {
        answers.add(() -> 0);
        assertThat(await(LATE)).isFalse();
        assertThat(calls).containsExactly("takeBy " + LATE);
    }

    /// Otherwise, no virtual thread would run any more.
    @Test
    void anInterruptedVirtualThreadLeavesItsCarrierToTheLeader() throws Exception {
        var asleep = new CountDownLatch(1);
        answers.add(() -> {
            asleep.countDown();
            wakeUps.acquireUninterruptibly();
            return -Errno.EINTR;
        });
        try (var _ = new BusyCarriers()) {
            var leader = InThread.VIRTUAL.start(() -> await(LATE));
            asleep.await();
            var updating = InThread.VIRTUAL.start(() -> {
                Thread.currentThread().interrupt();
                reader.update(() -> delivered.add(MemorySegment.NULL));
                return Thread.interrupted();
            });
            assertThat(updating.result(SOON)).as("still interrupted").isTrue();
            assertThat(leader.result(SOON)).as("has found the event").isTrue();
        }
    }
}
