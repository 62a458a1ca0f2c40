// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Result of a latency test; times in microseconds.
///
/// @param size bytes of a message
/// @param messages how many
/// @param minimum shortest time
/// @param maximum longest time
/// @param typical median
/// @param average arithmetic mean
/// @param deviation standard deviation
/// @param percentile99 99 of 100 were at most this
/// @param percentile999 999 of 1000 were at most this
/// @param unstampedAverage arithmetic mean of as many more messages between which the clock was not read; null if not asked for
record LatencyResult(
        int size,
        long messages,
        double minimum,
        double maximum,
        double typical,
        double average,
        double deviation,
        double percentile99,
        double percentile999,
        @Nullable Double unstampedAverage) {

    /// @param histogram of nanoseconds
    /// @param unstamped average of messages without stamps, in nanoseconds; NaN if there is none
    /// @param factor what a measured time is divided by: 2 if it is that of the way there and back, of which one is reported
    static LatencyResult of(int size, long messages, Histogram histogram, double unstamped, int factor) {
        double unit = 1000.0 * factor;
        return new LatencyResult(
                size,
                messages,
                histogram.getMinValue() / unit,
                histogram.getMaxValue() / unit,
                histogram.getValueAtPercentile(50) / unit,
                histogram.getMean() / unit,
                histogram.getStdDeviation() / unit,
                histogram.getValueAtPercentile(99) / unit,
                histogram.getValueAtPercentile(99.9) / unit,
                Double.isNaN(unstamped) ? null : unstamped / unit);
    }
}
