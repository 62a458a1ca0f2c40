// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.CompletionHandler;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.pingpong.FailedCompletion;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Latency of messages, reads and atomics: one after the other, each at once when the one before has been answered. What is
/// recorded is the time from one post to the next, as in perftest. For one thread.
final class LatencyLoop implements CompletionHandler {
    private static final int DIGITS = 3;

    private final PerfLink link;
    private final PerfPlan plan;
    private final Progress progress;
    private final int size;
    private final int warmUp;
    private final boolean fetching;
    private final Histogram histogram = new Histogram(DIGITS);
    private final long total;
    private long deadline;
    private long sent;
    private long sendsCompleted;
    private long received;
    private long receivesPosted;
    private long lastPost;

    /// @param warmUp messages before those that count
    LatencyLoop(PerfLink link, int size, int warmUp, Progress progress) {
        this.link = link;
        this.plan = link.plan();
        this.progress = progress;
        this.size = size;
        this.warmUp = warmUp;
        this.fetching = plan.test().operation().isFetching();
        this.total = plan.seconds() > 0 ? Long.MAX_VALUE : (long) warmUp + plan.iterations();
        if (plan.isReceiving()) {
            receivesPosted = Math.min(plan.receiveDepth(), total);
            link.receive(0, size, (int) receivesPosted);
        }
    }

    /// Runs to the end.
    LatencyResult run() {
        var pace = CompletionWaiter.ofLatency(link.queue(), plan.events());
        deadline = plan.client() ? System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.seconds()) : 0;
        while (unfinished()) {
            if (maySend()) {
                send();
            }
            if (!pace.poll(this)) {
                throw CompletionWaiter.silence(sent + " messages sent and " + received + " received");
            }
        }
        long count = plan.seconds() > 0 ? sent - warmUp : plan.iterations();
        return LatencyResult.of(size, count, histogram, fetching ? 1 : 2);
    }

    private boolean unfinished() {
        if (plan.seconds() > 0) {
            return deadline == 0 || System.nanoTime() < deadline;
        }
        return sent < total || sendsCompleted < total || (!fetching && received < total);
    }

    /// The client starts; whoever has received what was sent last is next.
    private boolean maySend() {
        return sent < total && sent - sendsCompleted < plan.sendDepth()
                && (fetching ? sent == sendsCompleted : plan.client() ? received >= sent : received > sent);
    }

    /// Posts first, then reads the clock and keeps the books: while the message is under way, they cost nothing.
    private void send() {
        sent++;
        try (SendBatch batch = link.begin(0)) {
            link.add(batch, 0, size, sent % signalEvery() == 0 || sent == total);
            batch.submit();
        }
        long now = System.nanoTime();
        if (sent - 1 > warmUp) {
            histogram.recordValue(now - lastPost);
        }
        lastPost = now;
        progress.at(sent);
    }

    private int signalEvery() {
        return fetching ? 1 : plan.moderation();
    }

    @Override
    public void completed(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new FailedCompletion(completion.status(), completion.workRequestId());
        }
        if ((completion.workRequestId() & PerfLink.RECEIVE) == 0) {
            sendsCompleted = Math.min(sendsCompleted + signalEvery(), total);
            return;
        }
        received++;
        if (deadline == 0) {
            deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.seconds());
        }
        if (receivesPosted < total) {
            receivesPosted++;
            link.receive(0, size, 1);
        }
    }
}
