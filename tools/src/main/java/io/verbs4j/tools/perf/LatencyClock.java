// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/// Stamps the messages of a latency test, as perftest does: immediately before each post (`tposted` in `run_iter_lat_send`).
/// A recorded time is that from one stamp to the next. The messages are, in this order:
/// 1. warm-up, without stamps
/// 2. those with a stamp each, for the percentiles
/// 3. if an average without stamps is wanted: as many again, of which only the first and the last have a stamp. Where reading
///    the clock is a system call, the percentiles contain a system call per message.
///
/// For one thread.
final class LatencyClock {
    private static final int DIGITS = 3;

    private final LongSupplier nanos;
    private final int warmUp;
    private final int iterations;
    private final long stampsEnd;
    private final long messages;
    private final Histogram histogram = new Histogram(DIGITS);
    private long sent;
    private long stamp;
    private long firstOfAverage;

    /// @param extras messages besides those that have a stamp each; no average if the time decides
    /// @param iterations messages that have a stamp each; 0 if the time decides
    /// @param nanos the clock
    LatencyClock(ExtraMessages extras, int iterations, LongSupplier nanos) {
        this.nanos = nanos;
        this.warmUp = extras.warmUp();
        this.iterations = iterations;
        this.stampsEnd = iterations == 0 ? Long.MAX_VALUE : (long) warmUp + iterations;
        this.messages = extras.average() ? stampsEnd + iterations : stampsEnd;
    }

    /// Returns the number of messages to send; [Long#MAX_VALUE] if the time decides.
    long messages() {
        return messages;
    }

    /// Reads the clock if the next message has a stamp, posts it, and then records the time since the stamp before: while the
    /// message is in flight, that delays nothing.
    void stamp(Runnable post) {
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

    /// @param size bytes of a message
    /// @param factor what a time between two stamps is divided by: 2 if it is a round trip, of which half is reported
    LatencyResult result(int size, int factor) {
        long count = iterations == 0 ? sent - warmUp : iterations;
        return LatencyResult.of(size, count, histogram, averageNanos(), factor);
    }

    private double averageNanos() {
        return messages > stampsEnd && iterations > 1 ? (double) (stamp - firstOfAverage) / (iterations - 1)
                : Double.NaN;
    }
}
