// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.LoggedMessages;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests each refusal of dispatchers, scopes and pools. Refused work, and work that fails in its handler, keeps no
/// slab and no entry.
@Timeout(60)
class RefusedWorkTest {
    private final Loop loop = new Loop(false);
    private final Context context = loop.domain.context();
    private final SlabPool pool = SlabPool.allocate(loop.domain, 4, 64, Access.LOCAL_WRITE);

    @AfterEach
    void close() {
        loop.close();
    }

    /// A queue pair that is its own peer.
    private QueuePair pair(CompletionQueue queue, int sends, int receives) {
        var prepared = loop.domain.reliableConnection(queue).maxSends(sends).maxReceives(receives).prepare();
        return prepared.connect(prepared.endpoint());
    }

    private void assertRefused(String message, ThrowingCallable call) {
        int before = pool.available();
        assertThatIllegalStateException().isThrownBy(call).withMessage(message);
        assertThat(pool.available()).isEqualTo(before);
    }

    @Test
    void aDispatcherHasTheLimitsOfItsQueue() {
        CompletionQueue queue = context.createCompletionQueue(16);
        int capacity = queue.capacity();
        for (int wrong : new int[]{0, capacity + 1}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Dispatcher.of(queue, wrong))
                    .withMessage("operations=" + wrong + " is not in 1.." + capacity);
        }
        assertThatIllegalStateException().isThrownBy(() -> Dispatcher.start(queue, 1))
                .withMessage(queue + " has no channel: create it with CompletionQueueOptions.withChannel, or poll by"
                        + " Dispatcher.of");
        try (Dispatcher dispatcher = Dispatcher.of(queue, capacity)) {
            assertThat(dispatcher.queue()).isSameAs(queue);
            assertThat(dispatcher).hasToString("dispatcher of " + queue);
        }
    }

    @Test
    void aPoolHasLimits() {
        for (int wrong : new int[]{0, (1 << 24) + 1}) {
            assertThatIllegalArgumentException().isThrownBy(() -> SlabPool.allocate(loop.domain, wrong, 1))
                    .withMessage("count=" + wrong + " is not in 1..16777216");
        }
        for (int wrong : new int[]{0, Integer.MAX_VALUE - 63}) {
            assertThatIllegalArgumentException().isThrownBy(() -> SlabPool.allocate(loop.domain, 1, wrong))
                    .withMessage("slabBytes=" + wrong + " is not in 1..2147483583");
        }
        assertThat(pool.count()).isEqualTo(4);
        assertThat(pool.slabBytes()).isEqualTo(64);
        assertThat(pool.leaks()).isZero();
        assertThat(pool).hasToString("pool of 4 slabs of 64 bytes");
    }

    /// The interrupt proves that no call waits: a wait would throw InterruptedException.
    @Test
    void aClosedPoolLeasesNothingAndDoesNotWait() {
        pool.close();
        pool.close();
        String closed = pool + " is closed";
        boolean interrupted;
        Thread.currentThread().interrupt();
        try {
            assertThatIllegalStateException().isThrownBy(pool::lease).withMessage(closed);
            assertThatIllegalStateException().isThrownBy(() -> pool.lease(Duration.ofMinutes(1))).withMessage(closed);
            assertThatIllegalStateException().isThrownBy(pool::tryLease).withMessage(closed);
        } finally {
            interrupted = Thread.interrupted();
        }
        assertThat(interrupted).isTrue();
    }

    @Test
    void workThatFindsNoRoomKeepsNothing() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 40);
        QueuePair small = pair(queue, 1, 1);
        try (Lease lease = pool.lease(); AsyncQueuePair asynchronous = AsyncQueuePair.of(dispatcher, small)) {
            assertThat(asynchronous.queuePair()).isSameAs(small);
            WorkScope scope = asynchronous.open();
            int receives = small.capabilities().maxReceiveWorkRequests();
            for (int i = 0; i < receives; i++) {
                scope.receive(lease);
            }
            assertRefused("the receive queue of " + small + " is full", () -> scope.receive(lease));
            assertThat(scope.inFlight()).isEqualTo(receives);
            assertThat(dispatcher.inFlight()).isEqualTo(receives);
            for (int wrong : new int[]{-1, 65}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> scope.post(new SendWorkRequest().send(), lease, wrong))
                        .withMessage("length=" + wrong + " is not in 0..64");
            }
            assertThatIllegalStateException().isThrownBy(dispatcher::close)
                    .withMessage(receives + " work requests are outstanding in " + dispatcher
                            + ": close their queue pairs first");
        }
        assertThat(dispatcher.inFlight()).isZero();
        dispatcher.close();
    }

    @Test
    @SuppressWarnings("try") // closes within the statement
    void aDispatcherHasAsManyEntriesAsItWasCreatedWith() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 2);
        try (Lease lease = pool.lease()) {
            try (AsyncQueuePair asynchronous = AsyncQueuePair.of(dispatcher, pair(queue, 8, 8))) {
                WorkScope scope = asynchronous.open();
                scope.receive(lease);
                scope.receive(lease);
                assertRefused("operations=2 are all outstanding in " + dispatcher, () -> scope.receive(lease));
                assertThat(scope.inFlight()).isEqualTo(2);
                asynchronous.close();
                assertRefused(asynchronous + " is closed", asynchronous::open);
                scope.close();
                assertRefused("the scope of " + asynchronous + " is closed", () -> scope.receive(lease));
            }
            WorkScope scope = AsyncQueuePair.of(dispatcher, pair(queue, 8, 8)).open();
            dispatcher.close();
            assertRefused(dispatcher + " is closed", () -> scope.receive(lease));
        }
        assertThat(pool.available()).isEqualTo(4);
    }

    /// The work would never complete.
    @Test
    void aDispatcherIsNotClosedBetweenTheReservationAndThePostOfWork() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 2);
        WorkScope scope = AsyncQueuePair.of(dispatcher, pair(queue, 8, 8)).open();
        dispatcher.begin(scope, pool.lease().pin(), _ -> {});
        assertThatIllegalStateException().isThrownBy(dispatcher::close)
                .withMessage("1 work requests are outstanding in " + dispatcher + ": close their queue pairs first");
    }

    @Test
    void endsTheWorkOfTheDestroyedQueuePairOnly() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 8);
        AsyncQueuePair destroyed = AsyncQueuePair.of(dispatcher, pair(queue, 8, 8));
        AsyncQueuePair other = AsyncQueuePair.of(dispatcher, pair(queue, 8, 8));
        try (Lease lease = pool.lease()) {
            CompletableFuture<CompletionRecord> gone = destroyed.open().receive(lease);
            WorkScope scope = other.open();
            CompletableFuture<CompletionRecord> received = scope.receive(lease);
            destroyed.queuePair().close();
            destroyed.close();
            assertThatThrownBy(gone::join).isInstanceOf(CancellationException.class)
                    .rootCause()
                    .hasMessage(destroyed + " was closed before its work completed");
            assertThat(received).isNotDone();
            assertThat(dispatcher.inFlight()).isOne();
            CompletableFuture<CompletionRecord> sent = scope.post(new SendWorkRequest().send(), lease, 3);
            Eventually.until(() -> {
                dispatcher.poll();
                return sent.isDone() && received.isDone();
            }, dispatcher::toString);
            assertThat(received.resultNow().byteLength()).isEqualTo(3);
        }
        other.close();
        dispatcher.close();
    }

    @Test
    void logsAHandlerThatFailsAndGoesOn() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 8);
        QueuePair pair = pair(queue, 8, 8);
        try (
                LoggedMessages logged = LoggedMessages.of("io.verbs4j.async");
                AsyncQueuePair asynchronous = AsyncQueuePair.of(dispatcher, pair);
                WorkScope scope = asynchronous.open();
                Lease lease = pool.lease()) {
            var handled = new ArrayList<Integer>();
            scope.receive(lease, completion -> {
                handled.add(completion.byteLength());
                throw new IllegalStateException("in the handler");
            });
            scope.receive(lease, completion -> {
                handled.add(completion.byteLength());
                throw new AssertionError("in the handler");
            });
            scope.post(new SendWorkRequest().send(), lease, 3, _ -> handled.add(-1));
            scope.post(new SendWorkRequest().send(), lease, 5, _ -> handled.add(-2));
            Eventually.until(() -> {
                dispatcher.poll();
                return dispatcher.inFlight() == 0;
            }, dispatcher::toString);
            assertThat(handled).containsExactlyInAnyOrder(3, -1, 5, -2);
            assertThat(logged.all()).hasSize(2)
                    .allSatisfy(message -> assertThat(message).startsWith("WARNING the handler of work request ")
                            .endsWith(" failed"));
        }
        assertThat(pool.available()).isEqualTo(4);
        dispatcher.close();
    }

    @Test
    void aHandlerPostsAgainWithTheOnlyEntry() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 1);
        QueuePair pair = pair(queue, 8, 8);
        try (
                LoggedMessages logged = LoggedMessages.of("io.verbs4j.async");
                AsyncQueuePair asynchronous = AsyncQueuePair.of(dispatcher, pair);
                Lease lease = pool.lease()) {
            WorkScope scope = asynchronous.open();
            scope.receive(lease, _ -> scope.receive(lease, _ -> {}));
            try (var batch = pair.beginSend()) {
                batch.send().post();
                batch.submit();
            }
            Eventually.until(() -> dispatcher.poll() > 0, dispatcher::toString);
            assertThat(scope.inFlight()).isOne();
            assertThat(dispatcher.inFlight()).isOne();
            assertThat(logged.all()).isEmpty();
        }
        assertThat(pool.available()).isEqualTo(4);
        dispatcher.close();
    }

    /// The logger fails, too, so the error reaches the dispatcher's thread.
    @Test
    void anErrorInTheThreadEndsAllWork() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(
                CompletionQueueOptions.entries(64).withChannel(context.createCompletionChannel()));
        Dispatcher dispatcher = Dispatcher.start(queue, 8);
        AsyncQueuePair asynchronous = AsyncQueuePair.of(dispatcher, pair(queue, 8, 8));
        WorkScope scope = asynchronous.open();
        try (FailingLogger _ = new FailingLogger("io.verbs4j.async"); Lease lease = pool.lease()) {
            scope.receive(lease, _ -> {
                throw new AssertionError("in the handler");
            });
            CompletableFuture<CompletionRecord> next = scope.receive(lease);
            scope.post(new SendWorkRequest().send(), lease, 1, _ -> {});
            assertThatThrownBy(() -> next.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class)
                    .rootCause()
                    .hasMessageContaining("has ended before the work completed: java.lang.AssertionError: logged");
            assertRefused(dispatcher + " has ended", () -> scope.receive(lease));
        }
        asynchronous.close();
        dispatcher.close();
        assertThat(pool.available()).isEqualTo(4);
    }

    /// Throws an error for each message.
    private static final class FailingLogger extends Handler implements AutoCloseable {
        private final Logger logger;

        FailingLogger(String name) {
            logger = Logger.getLogger(name);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord entry) {
            throw new AssertionError("logged " + entry.getMessage());
        }

        @Override
        public void flush() {
            // Nothing waits.
        }

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    /// The device would complete such work only after the queue pair has failed.
    @Test
    void aScopeRefusesWorkWhenItsIdleQueuePairIsClosed() throws InterruptedException {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 8);
        AsyncQueuePair asynchronous = AsyncQueuePair.of(dispatcher, pair(queue, 8, 8));
        WorkScope scope = asynchronous.open();
        try (Lease lease = pool.lease()) {
            asynchronous.close();
            assertRefused(asynchronous + " is closed", () -> scope.receive(lease));
            assertRefused(
                    asynchronous + " is closed", () -> scope.post(new SendWorkRequest().send(), lease, 1, _ -> {}));
            assertThat(dispatcher.inFlight()).isZero();
        }
        scope.close();
        dispatcher.close();
        assertThat(pool.available()).isEqualTo(4);
    }

    /// The program posts its own work requests. Their identifiers belong to no entry, or to a free entry.
    @Test
    void logsACompletionOfForeignWork() {
        CompletionQueue queue = context.createCompletionQueue(64);
        Dispatcher dispatcher = Dispatcher.of(queue, 4);
        QueuePair pair = pair(queue, 8, 8);
        try (LoggedMessages logged = LoggedMessages.of("io.verbs4j.async")) {
            for (long id : new long[]{-1, 4, 1L << 31, 3, 0}) {
                try (var batch = pair.beginSend()) {
                    batch.write().signaled().workRequestId(id).remote(0, 0).post();
                    batch.submit();
                }
                Eventually.until(() -> dispatcher.poll() > 0, dispatcher::toString);
                assertThat(logged.all().getLast()).startsWith("WARNING unexpected completion work request ")
                        .endsWith(": the work was not posted through " + dispatcher);
            }
            assertThat(logged.all()).hasSize(5);
        }
        dispatcher.close();
    }
}
