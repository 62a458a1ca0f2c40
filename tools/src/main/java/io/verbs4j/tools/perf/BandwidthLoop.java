// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.CompletionHandler;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.pingpong.FailedCompletion;
import io.verbs4j.types.QueuePairType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Measures bandwidth: keeps as many messages outstanding as the queues hold, in one direction or both. Not
/// thread-safe.
final class BandwidthLoop implements CompletionHandler {
    private static final double MEGA = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_OF_MEBIBYTE = 1 << 20;
    private static final double BYTES_OF_GIGABIT = 125_000_000;
    /// Maximum number of completions in an interval that is considered for the peak.
    private static final int PEAK_WINDOW = 200;
    /// Maximum number of messages whose times are recorded, to limit memory. Above it, no peak is reported.
    private static final int MAX_RECORDED = 1 << 22;
    /// Time without a completion after which the remaining messages of an unreliable transport count as lost.
    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(5);
    /// Time without a message after which a receiver ends a timed test. A receiver that ended at its own alarm would
    /// leave a slower peer without receives. That peer would wait indefinitely for its completions.
    private static final Duration LAST_MESSAGE_TIMEOUT = Duration.ofMillis(500);

    private final PerfLink link;
    private final PerfPlan plan;
    private final Progress progress;
    private final int size;
    private final boolean sends;
    private final boolean receives;
    private final boolean lossy;
    private final long perPair;
    private final long[] posted;
    private final long[] completed;
    private final long[] receivesPosted;
    private final long[] received;
    /// Times of the post and of the completion of each message; empty if no peak is measured.
    private final long[] postTimes;
    private final long[] completionTimes;
    private long totalPosted;
    private long totalCompleted;
    private long totalReceived;
    private long start;
    private long end;
    /// Time of the last completion of an unreliable transport.
    private long lastCompletion;
    private long sampled;
    /// Set when a timed test has begun.
    private @Nullable Alarm sampleFrom;
    private @Nullable Alarm sampleTo;
    private @Nullable Alarm over;

    /// Posts the receives.
    ///
    /// @param messages number of messages per queue pair; 0 to send for the plan's duration
    BandwidthLoop(PerfLink link, int size, long messages, Progress progress) {
        this.link = link;
        this.plan = link.plan();
        this.progress = progress;
        this.size = size;
        this.sends = plan.client() || plan.bidirectional();
        this.receives = plan.isReceiving();
        this.lossy = plan.connection() != QueuePairType.RC;
        this.perPair = messages == 0 ? Long.MAX_VALUE : messages;
        int pairs = plan.queuePairs();
        this.posted = new long[pairs];
        this.completed = new long[pairs];
        this.receivesPosted = new long[pairs];
        this.received = new long[pairs];
        int recorded = sends && plan.peak() ? recorded(messages * pairs) : 0;
        this.postTimes = new long[recorded];
        this.completionTimes = new long[recorded];
        if (receives) {
            for (int pair = 0; pair < pairs; pair++) {
                receivesPosted[pair] = Math.min(plan.receiveDepth(), perPair);
                link.receive(pair, size, (int) receivesPosted[pair]);
            }
        }
    }

    /// Returns the number of messages whose times are recorded: all, or none if there are too many.
    static int recorded(long messages) {
        return messages <= MAX_RECORDED ? (int) messages : 0;
    }

    /// Runs the measurement.
    ///
    /// @param gigabits whether the result is reported in Gb/s
    BandwidthResult run(boolean gigabits) {
        var pace = CompletionWaiter.ofBandwidth(link.queue(), plan.events());
        var shortPace = CompletionWaiter.ofBandwidth(link.queue(), plan.events(), LOSS_TIMEOUT);
        var lastPace = CompletionWaiter.ofBandwidth(link.queue(), plan.events(), LAST_MESSAGE_TIMEOUT);
        if (sends) {
            begin();
        }
        while (unfinished()) {
            if (sends) {
                fill();
            }
            // Before the first message, the peer may still be starting.
            if (!(isOver() ? lastPace : lossy && totalReceived > 0 ? shortPace : pace).poll(this)) {
                // Lost messages of an unreliable transport never complete. After the time of a timed test, its sender
                // waits only for completions that still arrive.
                if (lossy && totalReceived > 0) {
                    end = lastCompletion;
                    break;
                }
                if (hasRung(over)) {
                    break;
                }
                throw CompletionWaiter.silence(totalCompleted + " messages sent and " + totalReceived + " received");
            }
        }
        end = end == 0 ? System.nanoTime() : end;
        return result(gigabits);
    }

    /// Returns the number of received and expected messages. In a timed test, only the peer knows the number of sent
    /// messages, so both numbers are equal.
    Delivery delivery() {
        long expected = receives && !timed() ? perPair * plan.queuePairs() : totalReceived;
        return new Delivery(size, totalReceived, expected);
    }

    private boolean timed() {
        return perPair == Long.MAX_VALUE;
    }

    private void begin() {
        start = System.nanoTime();
        if (timed()) {
            long duration = duration();
            sampleFrom = Alarm.in(duration / 4);
            sampleTo = Alarm.in(duration - duration / 4);
            over = Alarm.in(duration);
        }
    }

    private long duration() {
        return TimeUnit.SECONDS.toNanos(plan.seconds());
    }

    private static boolean hasRung(@Nullable Alarm alarm) {
        return alarm != null && alarm.hasRung();
    }

    private long sampledNanos() {
        long planned = duration() / 2;
        return sampleFrom == null || sampleTo == null ? planned : Alarm.between(sampleFrom, sampleTo, planned);
    }

    private boolean unfinished() {
        if (timed()) {
            return receives || !isOver();
        }
        long pairs = plan.queuePairs();
        return (sends && totalCompleted < perPair * pairs) || (receives && totalReceived < perPair * pairs);
    }

    /// Returns whether the time of a timed test is over, and all own messages are sent.
    private boolean isOver() {
        return hasRung(over) && totalCompleted >= totalPosted;
    }

    private void fill() {
        for (int pair = 0; pair < posted.length; pair++) {
            while (posted[pair] < perPair && posted[pair] - completed[pair] + plan.list() <= plan.sendDepth()
                    && mayStillPost(pair)) {
                post(pair);
            }
        }
    }

    /// After the end of a timed test, posts only until the next send with a completion.
    private boolean mayStillPost(int pair) {
        return !timed() || !hasRung(over) || posted[pair] % plan.moderation() != 0;
    }

    private void post(int pair) {
        // Reading the clock takes as long as a post, or even a system call. It is read only to measure a peak.
        boolean recording = postTimes.length > 0;
        long now = recording ? System.nanoTime() : 0;
        try (SendBatch batch = link.begin(pair)) {
            for (int i = 0; i < plan.list(); i++) {
                if (recording) {
                    postTimes[(int) totalPosted] = now;
                }
                posted[pair]++;
                totalPosted++;
                link.add(batch, pair, size, posted[pair] % plan.moderation() == 0 || posted[pair] == perPair);
            }
            batch.submit();
        }
    }

    @Override
    public void completed(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new FailedCompletion(completion.status(), completion.workRequestId());
        }
        int pair = (int) completion.workRequestId();
        long count = 1;
        if ((completion.workRequestId() & PerfLink.RECEIVE) == 0) {
            count = Math.min(plan.moderation(), perPair - completed[pair]);
            completed[pair] += count;
            totalCompleted += count;
            if (completionTimes.length > 0) {
                completionTimes[(int) totalCompleted - 1] = System.nanoTime();
            }
        } else {
            if (start == 0) {
                begin();
            }
            received[pair]++;
            totalReceived++;
            if (receivesPosted[pair] < perPair) {
                receivesPosted[pair]++;
                link.receive(pair, size, 1);
            }
        }
        if (lossy) {
            lastCompletion = System.nanoTime();
        }
        if (timed() && hasRung(sampleFrom) && !hasRung(sampleTo)) {
            sampled += count;
        }
        progress.at(totalCompleted + totalReceived);
    }

    private BandwidthResult result(boolean gigabits) {
        long messages = timed() ? sampled : sends ? totalCompleted : totalReceived;
        double seconds = (timed() ? sampledNanos() : end - start) / NANOS_PER_SECOND;
        double unit = gigabits ? BYTES_OF_GIGABIT : BYTES_OF_MEBIBYTE;
        return new BandwidthResult(
                size,
                messages,
                size / unit / (shortestTime() / NANOS_PER_SECOND),
                messages * (double) size / unit / seconds,
                messages / seconds / MEGA);
    }

    /// Returns the shortest time per message between a post and a completion, over intervals of up to [#PEAK_WINDOW]
    /// completions; infinity if times were not recorded.
    private double shortestTime() {
        double shortest = Double.POSITIVE_INFINITY;
        int recorded = (int) Math.min(completionTimes.length, totalCompleted);
        for (int from = 0; from < recorded; from += plan.list()) {
            int windows = 0;
            for (int to = from; to < recorded && windows < PEAK_WINDOW; to++) {
                if (completionTimes[to] != 0) {
                    windows++;
                    shortest = Math.min(shortest, (completionTimes[to] - postTimes[from]) / (double) (to - from + 1));
                }
            }
        }
        return shortest;
    }
}
