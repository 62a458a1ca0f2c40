// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

/// Messages of a test in addition to perftest's. Both ends need the same numbers.
///
/// @param warmUp number of messages before the measurement
/// @param average whether as many messages follow again, without stamps, to measure their average
record ExtraMessages(int warmUp, boolean average) {
    static final ExtraMessages NONE = new ExtraMessages(0, false);
}
