// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.LoggedMessages;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A lock whose owner lives and does not unlock. How a frame comes to be torn away: `AbandonedBatchTest`.
class BatchLockTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final BatchLock lock = new BatchLock("batch of sends", true);
    private final CountDownLatch locked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        end.countDown();
    }

    @Test
    void isTakenOverFromALivingThreadWhoseFrameWasTornAway() throws Exception {
        var owner = hold(true);
        try (var log = LoggedMessages.of("io.verbs4j")) {
            var heir = InThread.PLATFORM.start(() -> {
                lock.lock();
                boolean open = lock.isHere();
                lock.unlock();
                return open;
            });
            assertThat(heir.result(LIMIT)).as("the owner's batch is open for the heir").isFalse();
            assertThat(log.all()).singleElement().asString().contains("left a batch of sends open");
        }
        end.countDown();
        assertThat(owner.result(LIMIT)).as("the former owner begins anew").isTrue();
    }

    @Test
    void staysWithALivingThreadWhoseFrameStands() throws Exception {
        var owner = hold(false);
        var other = InThread.PLATFORM.start(() -> {
            lock.lock();
            lock.unlock();
            return true;
        });
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> other.result(Duration.ofSeconds(1)));
        end.countDown();
        assertThat(owner.result(LIMIT)).isTrue();
        assertThat(other.result(LIMIT)).isTrue();
    }

    @Test
    void aWaitKeepsTheInterruptStatus() throws Exception {
        var owner = hold(false);
        var waiting = InThread.PLATFORM.start(() -> {
            lock.lock();
            lock.unlock();
            return Thread.interrupted();
        });
        while (!waiting.isWaiting()) {
            Thread.onSpinWait();
        }
        waiting.interrupt();
        end.countDown();
        assertThat(waiting.result(LIMIT)).isTrue();
        assertThat(owner.result(LIMIT)).isTrue();
        lock.lock();
        lock.unlock();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void isFreeWhenItWasUnlockedAsOftenAsLocked() throws Exception {
        for (int i = 0; i < 3; i++) {
            lock.lock();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(InThread.PLATFORM.start(lock::tryLock).result(LIMIT)).isFalse();
            assertThat(InThread.PLATFORM.start(() -> {
                lock.unlock();
                return true;
            }).failure()).isInstanceOf(IllegalMonitorStateException.class);
            lock.unlock();
        }
        assertThat(lock.tryLock()).isTrue();
        lock.abandonedBy = Thread.currentThread(); // its frame ended after all, with the unlock below
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.abandonedBy).isNull();
        assertThat(InThread.PLATFORM.start(lock::tryLock).result(LIMIT)).isFalse();
        lock.unlock();
    }

    @Test
    void ofASingleThreadedQueueExcludesNone() throws Exception {
        var free = new BatchLock("batch of sends", false);
        assertThat(free.isLocking()).isFalse();
        free.lock();
        free.lock();
        assertThat(InThread.PLATFORM.start(free::tryLock).result(LIMIT)).isTrue();
        free.unlock();
        assertThat(lock.isLocking()).isTrue();
    }

    /// Locks in a thread that lives until the test ends; its frame is torn away, or unlocks at the end.
    private InThread.Started<Boolean> hold(boolean torn) throws InterruptedException {
        var owner = InThread.PLATFORM.start(() -> {
            lock.lock();
            lock.opened();
            if (torn) {
                lock.abandonedBy = Thread.currentThread();
            }
            locked.countDown();
            boolean ended = end.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (torn) {
                lock.lock();
            }
            lock.closed();
            lock.unlock();
            return ended;
        });
        locked.await();
        return owner;
    }
}
