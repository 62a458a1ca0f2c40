// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Stamps the messages of a latency test immediately before each post, like perftest (`tposted` in
/// `run_iter_lat_send`).
/// A recorded time is the difference of two consecutive stamps. The messages are, in this order:
/// 1. warm-up, without stamps
/// 2. messages with a stamp each, for the percentiles
/// 3. optionally, for an average without stamps: the same number of messages, of which only the first and the last have
///    a stamp. If reading the clock takes a system call, the percentiles include one system call per message.
///
/// The time of a timed test begins with the first stamp.
///
/// Not thread-safe.
final class LatencyClock {
    private static final int DIGITS = 3;

    private final LongSupplier nanos;
    private final Supplier<Alarm> alarm;
    private final int warmUp;
    private final int iterations;
    private final long stampsEnd;
    private final long messages;
    private final Histogram histogram = new Histogram(DIGITS);
    private long sent;
    private long stamp;
    private long firstOfAverage;
    private @Nullable Alarm end;

    /// @param extras messages in addition to those with a stamp each; without an average in a timed test
    /// @param iterations number of messages with a stamp each; 0 for a timed test
    /// @param nanos the clock, in nanoseconds
    /// @param alarm starts the alarm for the end of a timed test
    LatencyClock(ExtraMessages extras, int iterations, LongSupplier nanos, Supplier<Alarm> alarm) {
        this.nanos = nanos;
        this.alarm = alarm;
        this.warmUp = extras.warmUp();
        this.iterations = iterations;
        this.stampsEnd = iterations == 0 ? Long.MAX_VALUE : (long) warmUp + iterations;
        this.messages = extras.average() ? stampsEnd + iterations : stampsEnd;
    }

    /// Returns the number of messages to send; [Long#MAX_VALUE] for a timed test.
    long messages() {
        return messages;
    }

    /// Reads the clock if the next message has a stamp, and posts the message. Then records the time since the previous
    /// stamp: this delays nothing, because the message is in flight.
    void stamp(Runnable post) {
        if (iterations == 0 && sent == warmUp) {
            end = alarm.get();
        }
        long before = stamp;
        if (sent >= warmUp && (sent <= stampsEnd || sent == messages - 1)) {
            stamp = nanos.getAsLong();
        }
        post.run();
        if (sent > warmUp && sent < stampsEnd) {
            histogram.recordValue(stamp - before);
        } else if (sent == stampsEnd) {
            firstOfAverage = stamp;
        }
        sent++;
    }

    /// Returns whether the time of a timed test is over.
    boolean isOver() {
        return end != null && end.hasRung();
    }

    /// Returns the result.
    ///
    /// @param size size of a message in bytes
    /// @param factor divisor of the times: 2 for round trips, of which half is reported; otherwise 1
    LatencyResult result(int size, int factor) {
        long count = iterations == 0 ? sent - warmUp : iterations;
        return LatencyResult.of(size, count, histogram, averageNanos(), factor);
    }

    private double averageNanos() {
        return messages > stampsEnd && iterations > 1 ? (double) (stamp - firstOfAverage) / (iterations - 1)
                : Double.NaN;
    }
}
