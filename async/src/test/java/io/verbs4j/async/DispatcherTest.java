// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DispatcherTest {
    private static final Access[] ALL = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ};

    private Loop loop;
    private SlabPool pool;

    @BeforeEach
    void open() {
        loop = new Loop(true);
        pool = SlabPool.allocate(loop.domain, 4, 64, ALL);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private static RemoteMemory remote(Lease lease) {
        return lease.region().remote().slice(lease.offset(), lease.length());
    }

    @Test
    void completesFuturesOfAllOperations() throws Exception {
        try (
                Lease from = pool.lease();
                Lease to = pool.lease();
                var sends = loop.here.open();
                var receives = loop.there.open()) {
            from.segment().setString(0, "written");
            get(sends.post(new SendWorkRequest().write().remote(remote(to)), from, 16));
            assertThat(to.segment().getString(0)).isEqualTo("written");

            to.segment().setString(0, "to be read");
            get(sends.post(new SendWorkRequest().read().remote(remote(to)), from, 16));
            assertThat(from.segment().getString(0)).isEqualTo("to be read");

            CompletableFuture<CompletionRecord> received = receives.receive(to);
            from.segment().setString(0, "sent");
            get(sends.post(new SendWorkRequest().send().immediate(42), from, 16));
            assertThat(get(received)).satisfies(record -> {
                assertThat(record.byteLength()).isEqualTo(16);
                assertThat(record.hasImmediateData()).isTrue();
            });
            assertThat(to.segment().getString(0)).isEqualTo("sent");
        }
        assertThat(pool.available()).isEqualTo(4);
    }

    @Test
    void failsAFutureWithItsCompletion() throws Exception {
        try (Lease from = pool.lease(); var scope = loop.here.open()) {
            var wrong = new RemoteMemory(remote(from).address(), 64, 0x7fff_ffff);

            assertThatThrownBy(() -> get(scope.post(new SendWorkRequest().write()
                    .remote(wrong), from, 8))).isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            WorkFailedException.class,
                            failure -> assertThat(failure.completion().status())
                                    .isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR));
        }
    }

    @Test
    void lendsNoSlabThatACancelledReceiveStillUses() throws Exception {
        var receives = loop.there.open();
        Lease lease = pool.lease();
        CompletableFuture<CompletionRecord> cancelled = receives.receive(lease);
        cancelled.cancel(true);
        lease.close();
        assertThat(pool.available()).isEqualTo(3);
        assertThat(receives.inFlight()).isEqualTo(1);

        sendOne();
        receives.close();

        assertThat(pool.available()).isEqualTo(4);
    }

    @Test
    void lendsNoSlabAfterATimeoutBeforeTheWorkHasCompleted() throws Exception {
        try (var receives = loop.there.open()) {
            Lease lease = pool.lease();
            CompletableFuture<CompletionRecord> late = receives.receive(lease).orTimeout(1, TimeUnit.MILLISECONDS);
            assertThatThrownBy(() -> get(late)).cause().isInstanceOf(TimeoutException.class);
            lease.close();
            assertThat(pool.available()).isEqualTo(3);
            assertThat(receives.awaitIdle(Duration.ofMillis(1))).isFalse();

            sendOne();
            assertThat(receives.awaitIdle(Duration.ofSeconds(20))).isTrue();
            assertThat(pool.available()).isEqualTo(4);
        }
    }

    @Test
    void scopeEndsWhenAllOfItsWorkHasCompleted() throws Exception {
        var receives = loop.there.open();
        try (Lease first = pool.lease(); Lease second = pool.lease()) {
            receives.receive(first);
            CompletableFuture<CompletionRecord> last = receives.receive(second);
            var seen = new AtomicReference<Boolean>();
            Thread closing = Thread.ofVirtual().start(() -> {
                receives.close();
                seen.set(last.isDone());
            });
            sendOne();
            closing.join(Duration.ofMillis(50));
            assertThat(closing.isAlive()).isTrue();
            assertThatThrownBy(() -> receives.receive(first)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");

            sendOne();
            closing.join();
            assertThat(receives.inFlight()).isZero();
            get(last);
        }
    }

    private void sendOne() throws Exception {
        try (Lease lease = pool.lease(); var scope = loop.here.open()) {
            get(scope.post(new SendWorkRequest().send(), lease, 8));
        }
    }

    /// A refused receive or send holds no lock, and neither a slab nor an entry.
    @Test
    void goesOnAfterWorkThatIsRefused() throws Exception {
        try (
                var other = new Loop(false);
                SlabPool foreign = SlabPool.allocate(other.domain, 1, 64, ALL);
                Lease lease = foreign.lease();
                var receives = loop.there.open();
                var sends = loop.here.open()) {
            assertThatThrownBy(() -> receives.receive(lease)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> sends.post(new SendWorkRequest().send(), lease, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(receives.inFlight() + sends.inFlight()).isZero();
            try (Lease own = pool.lease()) {
                CompletableFuture<CompletionRecord> received = receives.receive(own);
                sendOne();
                get(received);
            }
        }
    }

    @Test
    void polledByHandIsPolledByWhoWaits() throws Exception {
        try (var byHand = new Loop(false); SlabPool own = SlabPool.allocate(byHand.domain, 2, 64, ALL)) {
            var handler = new AtomicReference<Thread>();
            try (Lease lease = own.lease(); var scope = byHand.here.open()) {
                scope.post(new SendWorkRequest().write()
                        .remote(remote(lease)), lease, 8, _ -> handler.set(Thread.currentThread()));
                assertThat(scope.awaitIdle(Duration.ofSeconds(20))).isTrue();
            }
            assertThat(handler.get()).isSameAs(Thread.currentThread());
        }
    }

    @Test
    void withAThreadRunsHandlersNowhereElse() throws Exception {
        var handlers = new ConcurrentSkipListSet<Long>();
        try (Lease lease = pool.lease(); var scope = loop.here.open()) {
            for (int i = 0; i < 200; i++) {
                scope.post(new SendWorkRequest().write()
                        .remote(remote(lease)), lease, 8, _ -> handlers.add(Thread.currentThread().threadId()));
                assertThat(scope.awaitIdle(Duration.ofSeconds(20))).isTrue();
            }
        }
        assertThat(handlers).hasSize(1).doesNotContain(Thread.currentThread().threadId());
    }

    /// Otherwise, the threads would keep the processor busy, and the clock would run.
    @Test
    void idleThreadsSleepInVirtualTime() throws Exception {
        var network = SimulatedNetwork.inVirtualTime(1);
        try (var virtual = new Loop(true, network); SlabPool own = SlabPool.allocate(virtual.domain, 1, 64, ALL)) {
            var handler = new AtomicReference<Thread>();
            try (Lease lease = own.lease(); var scope = virtual.here.open()) {
                scope.post(new SendWorkRequest().write()
                        .remote(remote(lease)), lease, 8, _ -> handler.set(Thread.currentThread()));
                assertThat(scope.awaitIdle(Duration.ofSeconds(20))).isTrue();
            }
            Thread dispatcher = handler.get();
            Eventually.until(() -> dispatcher.getState() == Thread.State.WAITING, dispatcher::toString);
            assertThat(network.now()).isLessThan(Duration.ofSeconds(1));
        }
    }

    @Test
    void keepsAnInterruptThatComesWhileSomebodyWaits() throws Exception {
        var receives = loop.there.open();
        Lease lease = pool.lease();
        receives.receive(lease);
        lease.close();

        Thread.currentThread().interrupt();
        assertThat(receives.awaitIdle(Duration.ofMillis(1))).isFalse();
        assertThat(Thread.interrupted()).isTrue();

        var sender = InThread.VIRTUAL.start(() -> {
            Thread.sleep(20);
            sendOne();
            return true;
        });
        Thread.currentThread().interrupt();
        assertThat(receives.awaitIdle(Duration.ofSeconds(20))).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(sender.result()).isTrue();
    }

    @Test
    void closingEndsReceivesThatNoMessageWillReach() throws Exception {
        Lease lease = pool.lease();
        CompletableFuture<CompletionRecord> never = loop.there.open().receive(lease);
        lease.close();

        loop.there.close();

        assertThat(pool.available()).isEqualTo(4);
        assertThatThrownBy(() -> get(never)).cause().isInstanceOf(WorkFailedException.class);
    }

    @Test
    void closingAfterTheQueuePairEndsWhatTheDeviceHasForgotten() throws Exception {
        Lease lease = pool.lease();
        CompletableFuture<CompletionRecord> never = loop.there.open().receive(lease);
        lease.close();
        loop.there.queuePair().close();

        loop.there.close();

        assertThat(pool.available()).isEqualTo(4);
        assertThatThrownBy(() -> get(never)).isInstanceOf(CancellationException.class);
    }

    @Test
    void handlersCannotWaitForThemselves() throws InterruptedException {
        var refusals = new ArrayList<String>();
        var done = new CountDownLatch(1);
        try (Lease lease = pool.lease(); var scope = loop.there.open()) {
            scope.receive(lease, _ -> {
                for (Runnable waiting : new Runnable[]{scope::close, () -> scope.awaitIdle(Duration.ZERO),
                        loop.there::close}) {
                    try {
                        waiting.run();
                    } catch (IllegalStateException e) {
                        refusals.add(e.getMessage());
                    }
                }
                done.countDown();
            });
            try (var sends = loop.here.open()) {
                sends.post(new SendWorkRequest().send(), lease, 1, _ -> {});
            }
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            String scoped = "a handler cannot wait for the scope of " + loop.there + ": it would wait for itself";
            assertThat(refusals).containsExactly(
                    scoped, scoped, loop.there + " cannot be closed by a handler: it would wait for itself");
            assertThat(loop.there).hasToString("asynchronous " + loop.there.queuePair());
        }
    }

    @Test
    void goesOnAfterAnInterruptOfWhatDependsOnAFuture() throws Exception {
        try (Lease lease = pool.lease(); var receives = loop.there.open()) {
            for (int i = 0; i < 3; i++) {
                var interrupted = receives.receive(lease).thenRun(() -> Thread.currentThread().interrupt());
                sendOne();
                get(interrupted);
            }
        }
    }

    @Test
    void aQueueThatIsClosedFirstEndsAllWorkAndRefusesMore() throws Exception {
        var receives = loop.there.open();
        try (Lease lease = pool.lease()) {
            CompletableFuture<CompletionRecord> never = receives.receive(lease);
            loop.there.queuePair().close();
            loop.thereQueue().close();

            assertThatThrownBy(() -> get(never)).isInstanceOf(CancellationException.class)
                    .rootCause()
                    .hasMessageContaining("has ended before the work completed");
            assertThatIllegalStateException().isThrownBy(() -> receives.receive(lease))
                    .withMessageEndingWith(" has ended")
                    .withCauseInstanceOf(IllegalStateException.class);
        }
        receives.close();
        assertThat(pool.available()).isEqualTo(4);
    }

    @Test
    void withAThreadIsNotPolledByPrograms() {
        assertThatIllegalStateException().isThrownBy(() -> loop.dispatcher().poll())
                .withMessage(loop.dispatcher() + " has a thread that polls");
    }

    @Test
    void closingAnIdleDispatcherKeepsAnInterrupt() {
        loop.here.close();
        Thread.currentThread().interrupt();
        loop.dispatcher().close();
        assertThat(Thread.interrupted()).isTrue();
        loop.dispatcher().close();
        assertThat(Thread.interrupted()).isFalse();
    }
}
