// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

/// Result of a bandwidth test, as the two ends exchange it.
///
/// @param size bytes of a message
/// @param messages how many, on all queue pairs
/// @param peak highest bandwidth between any two moments, in the unit of the report; 0 if it was not measured
/// @param average bandwidth of all
/// @param messageRate million messages a second
record BandwidthResult(int size, long messages, double peak, double average, double messageRate) {
    BandwidthResult plus(BandwidthResult other) {
        return new BandwidthResult(
                size, messages, peak + other.peak, average + other.average, messageRate + other.messageRate);
    }
}
