// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.BusyCarriers;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads that wait until no work is outstanding.
@Timeout(60)
class PendingTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final Pending pending = new Pending();

    /// A thread that is not woken looks again after a second. Several rounds, because this machine may be busy.
    @Test
    void eachOfTwoThreadsIsWokenAlthoughOneBetweenThemGaveUp() throws Exception {
        try (var loop = new Loop(true)) {
            long fastest = Long.MAX_VALUE;
            for (int round = 0; round < 3; round++) {
                fastest = Math.min(fastest, nanosToWakeTwo(loop.dispatcher()));
            }
            assertThat(Duration.ofNanos(fastest)).isLessThan(Duration.ofMillis(500));
        }
    }

    private long nanosToWakeTwo(Dispatcher dispatcher) throws Exception {
        pending.begin();
        var threads = new ArrayList<InThread.Started<Boolean>>();
        for (long nanos : new long[]{Long.MAX_VALUE, SHORT.toNanos(), Long.MAX_VALUE}) {
            var thread = InThread.PLATFORM.start(() -> pending.await(dispatcher, nanos));
            threads.add(thread);
            Eventually.until(thread::isWaiting, thread::toString);
        }
        assertThat(threads.remove(1).result()).as("gave up").isFalse();
        long start = System.nanoTime();
        pending.end();
        for (var thread : threads) {
            assertThat(thread.result()).isTrue();
        }
        return System.nanoTime() - start;
    }

    @Test
    void aVirtualThreadThatPollsLeavesItsCarrierToOthers() throws Exception {
        try (var loop = new Loop(false); var _ = new BusyCarriers()) {
            pending.begin();
            var started = new CountDownLatch(1);
            var waiting = InThread.VIRTUAL.start(() -> {
                started.countDown();
                return pending.await(loop.dispatcher(), LONG.toNanos());
            });
            started.await();
            Thread.startVirtualThread(pending::end);
            assertThat(waiting.result(LONG.plusSeconds(10))).as("before the timeout").isTrue();
        }
    }
}
