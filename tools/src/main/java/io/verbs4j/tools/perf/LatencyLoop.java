// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.CompletionHandler;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.pingpong.FailedCompletion;

/// Measures the latency of messages, reads and atomics: posts each one when the previous one has been answered. Not
/// thread-safe.
final class LatencyLoop implements CompletionHandler {
    private final PerfLink link;
    private final PerfPlan plan;
    private final Progress progress;
    private final int size;
    private final LatencyClock clock;
    private final Runnable post = this::post;
    private final boolean fetching;
    private final long total;
    private long sent;
    private long sendsCompleted;
    private long received;
    private long receivesPosted;

    /// @param clock stamps the measured messages
    LatencyLoop(PerfLink link, int size, LatencyClock clock, Progress progress) {
        this.link = link;
        this.plan = link.plan();
        this.progress = progress;
        this.size = size;
        this.clock = clock;
        this.fetching = plan.test().operation().isFetching();
        this.total = clock.messages();
        if (plan.isReceiving()) {
            receivesPosted = Math.min(plan.receiveDepth(), total);
            link.receive(0, size, (int) receivesPosted);
        }
    }

    /// Runs the measurement.
    LatencyResult run() {
        var pace = CompletionWaiter.ofLatency(link.queue(), plan.events());
        while (unfinished()) {
            if (maySend()) {
                send();
            }
            if (!pace.poll(this)) {
                throw CompletionWaiter.silence(sent + " messages sent and " + received + " received");
            }
        }
        return clock.result(size, fetching ? 1 : 2);
    }

    private boolean unfinished() {
        if (plan.seconds() > 0) {
            return !clock.isOver();
        }
        return sent < total || sendsCompleted < total || (!fetching && received < total);
    }

    /// Returns whether it is this end's turn. The client sends first; then the end that has received a message sends.
    private boolean maySend() {
        return sent < total && sent - sendsCompleted < plan.sendDepth()
                && (fetching ? sent == sendsCompleted : plan.client() ? received >= sent : received > sent);
    }

    private void send() {
        sent++;
        clock.stamp(post);
        progress.at(sent);
    }

    private void post() {
        try (SendBatch batch = link.begin(0)) {
            link.add(batch, 0, size, sent % signalEvery() == 0 || sent == total);
            batch.submit();
        }
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
        if (receivesPosted < total) {
            receivesPosted++;
            link.receive(0, size, 1);
        }
    }
}
