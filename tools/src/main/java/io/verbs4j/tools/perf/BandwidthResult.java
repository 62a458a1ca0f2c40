// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

/// Result of a bandwidth test, as the two ends exchange it.
///
/// @param size size of a message in bytes
/// @param messages number of messages on all queue pairs
/// @param peak highest bandwidth of an interval, in the unit of the report; 0 if it was not measured
/// @param average bandwidth of all messages, in the same unit
/// @param messageRate million messages per second
record BandwidthResult(int size, long messages, double peak, double average, double messageRate) {
    BandwidthResult plus(BandwidthResult other) {
        return new BandwidthResult(
                size, messages, peak + other.peak, average + other.average, messageRate + other.messageRate);
    }
}
