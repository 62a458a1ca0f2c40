// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionBatch;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// RDMA writes of 8 bytes on one device with identifiers from 0, posted and polled by any threads. The number of
/// outstanding writes never exceeds the completion queue's capacity, because it would lose the excess.
final class Writes implements AutoCloseable {
    private static final int BYTES = 8;
    private static final int POLL = 64;
    /// Less than what a test has.
    private static final Duration LIMIT = Duration.ofSeconds(590);

    private static final long PAUSE_NANOS = 50_000;

    private final ConnectedPair pair = ConnectedPair.onOneDevice()
            .access(Access.LOCAL_WRITE, Access.REMOTE_WRITE)
            .both(builder -> builder.maxSends(255))
            .connect();
    private final End end = pair.left();
    private final RemoteMemory remote = pair.right().memory().remote();
    private final int total;
    private final Ledger ledger;
    private final Semaphore credits = new Semaphore(end.queue().capacity());
    private final AtomicInteger next = new AtomicInteger();
    private final List<InThread.Started<Integer>> workers = new ArrayList<>();

    /// @param total how many
    Writes(int total) {
        this.total = total;
        this.ledger = new Ledger(total);
    }

    End end() {
        return end;
    }

    /// Starts threads that do the same.
    Writes start(int threads, InThread kind, Callable<Integer> work) {
        for (int i = 0; i < threads; i++) {
            workers.add(kind.start(work));
        }
        return this;
    }

    /// Waits until every write has completed once and all threads have ended.
    void finish() throws Exception {
        for (var worker : workers) {
            worker.result(LIMIT);
        }
        assertThat(ledger.missing()).as(ledger::toString).isZero();
        assertThat(next).hasValueGreaterThanOrEqualTo(total);
        end.completions().assertNone();
    }

    /// Posts until all are posted, `size` to a batch.
    int postBatches(int size) throws InterruptedException {
        int posted = 0;
        for (Range range; (range = Range.take(next, size, total)) != null; posted += range.count()) {
            credits.acquire(range.count());
            for (int id = range.first(); id < range.end();) {
                id += postSome(id, range.end());
            }
        }
        return posted;
    }

    private int postSome(int first, int endId) {
        int id = first;
        try (SendBatch batch = end.queuePair().beginSend()) {
            while (id < endId
                    && batch.signaled().workRequestId(id).write().local(end.memory(), 0, BYTES).remote(remote).post()) {
                id++;
            }
            assertThat(batch.submit()).isEqualTo(id - first);
        }
        pauseIf(id == first);
        return id - first;
    }

    /// Posts until all are posted, by lists of work requests.
    int postLists(int size) throws InterruptedException {
        QueuePair queuePair = end.queuePair();
        int posted = 0;
        for (Range range; (range = Range.take(next, size, total)) != null; posted += range.count()) {
            credits.acquire(range.count());
            List<SendWorkRequest> requests = new ArrayList<>();
            for (int id = range.first(); id < range.end(); id++) {
                requests.add(new SendWorkRequest().write()
                        .local(end.memory().slice(0, BYTES))
                        .remote(remote)
                        .workRequestId(id)
                        .signaled());
            }
            while (!requests.isEmpty()) {
                int count = queuePair.post(requests);
                requests = requests.subList(count, requests.size());
                pauseIf(count == 0);
            }
        }
        return posted;
    }

    /// Begins batches and leaves them, with identifiers that must never come back.
    int abandonBatches() {
        int abandoned = 0;
        while (ledger.missing() > 0) {
            try (SendBatch batch = end.queuePair().beginSend()) {
                for (int i = 0; i < 3; i++) {
                    batch.signaled().workRequestId(-1).write().local(end.memory(), 0, BYTES).remote(remote).post();
                }
                abandoned++;
            }
            pauseIf(true);
        }
        return abandoned;
    }

    /// Polls by callback until all have come.
    int poll() {
        int polled = 0;
        while (ledger.missing() > 0) {
            int count = end.queue().poll(POLL, this::note);
            credits.release(count);
            polled += count;
            pauseIf(count == 0);
        }
        return polled;
    }

    /// Polls by cursor until all have come.
    int pollByCursor() {
        int polled = 0;
        while (ledger.missing() > 0) {
            int count = 0;
            try (CompletionBatch batch = end.queue().beginPoll()) {
                while (count < POLL && batch.next()) {
                    note(batch.current());
                    count++;
                }
            }
            credits.release(count);
            polled += count;
            pauseIf(count == 0);
        }
        return polled;
    }

    private void note(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new AssertionError(completion.toString());
        }
        ledger.note(completion.workRequestId());
    }

    /// The kernel's half of the work needs a processor, too.
    private void pauseIf(boolean idle) {
        if (idle) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (!end.queuePair().isClosed()) {
            return;
        }
        throw new IllegalStateException("the test has ended before its threads");
    }

    @Override
    public void close() {
        pair.close();
    }

    /// Identifiers that a thread takes for itself.
    private record Range(int first, int end) {
        static @org.jspecify.annotations.Nullable Range take(AtomicInteger next, int size, int total) {
            int first = next.getAndAdd(size);
            return first >= total ? null : new Range(first, Math.min(first + size, total));
        }

        int count() {
            return end - first;
        }
    }
}
