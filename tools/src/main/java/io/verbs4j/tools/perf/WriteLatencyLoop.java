// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.CompletionHandler;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.pingpong.FailedCompletion;
import io.verbs4j.tools.pingpong.PollPause;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/// Measures the latency of RDMA writes. Each end writes messages into the peer's area, and waits for the peer's
/// messages in its own area. The last byte of a message is the low byte of its number. The server writes first. Not
/// thread-safe.
final class WriteLatencyLoop implements CompletionHandler {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final PerfLink link;
    private final PerfPlan plan;
    private final Progress progress;
    private final int size;
    private final LatencyClock clock;
    private final Runnable post = this::post;
    private final long total;
    private final MemorySegment memory;
    private final long own;
    private final long peers;
    private final CompletionWaiter pace;
    private final PollPause pause = PollPause.ofLatency(TIMEOUT);
    private long sent;
    private long completed;
    private long seen;

    /// @param clock stamps the measured messages
    WriteLatencyLoop(PerfLink link, int size, LatencyClock clock, Progress progress) {
        this.link = link;
        this.plan = link.plan();
        this.progress = progress;
        this.size = size;
        this.clock = clock;
        this.total = clock.messages();
        this.memory = link.memory().segment();
        this.own = link.sendArea(0) + size - 1;
        this.peers = link.receiveArea(0) + size - 1;
        this.pace = CompletionWaiter.ofLatency(link.queue(), false);
    }

    /// Runs the measurement.
    LatencyResult run() {
        while (sent < total || seen < total) {
            if (seen < total && (plan.client() || sent > 0) && !await()) {
                break;
            }
            if (sent < total) {
                write();
            }
        }
        return clock.result(size, 2);
    }

    /// Waits for the peer's next message.
    ///
    /// @return false at the end of a timed test
    private boolean await() {
        seen++;
        pause.progress();
        while ((byte) BYTE.getAcquire(memory, peers) != (byte) seen) {
            if (clock.isOver()) {
                return false;
            }
            if (!pause.pause()) {
                throw CompletionWaiter.silence(sent + " messages written and " + (seen - 1) + " seen");
            }
        }
        return true;
    }

    private void write() {
        sent++;
        clock.stamp(post);
        while (completed < sent) {
            if (!pace.poll(this)) {
                throw CompletionWaiter.silence(sent + " messages written");
            }
        }
        progress.at(sent);
    }

    private void post() {
        BYTE.setRelease(memory, own, (byte) sent);
        try (SendBatch batch = link.begin(0)) {
            link.add(batch, 0, size, true);
            batch.submit();
        }
    }

    @Override
    public void completed(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new FailedCompletion(completion.status(), completion.workRequestId());
        }
        completed++;
    }
}
