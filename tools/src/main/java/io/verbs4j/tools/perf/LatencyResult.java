// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Result of a latency test; times in microseconds.
///
/// @param size size of a message in bytes
/// @param messages number of measured messages
/// @param minimum shortest time
/// @param maximum longest time
/// @param typical median
/// @param average arithmetic mean
/// @param deviation standard deviation
/// @param percentile99 99 % of the times are at most this
/// @param percentile999 99.9 % of the times are at most this
/// @param unstampedAverage arithmetic mean of the same number of further messages, between which the clock was not
///     read; null if it was not measured
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

    /// Returns a result.
    ///
    /// @param histogram the measured times in nanoseconds
    /// @param unstamped average of messages without stamps, in nanoseconds; NaN if there is none
    /// @param factor divisor of the times: 2 for round trips, of which half is reported; otherwise 1
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
