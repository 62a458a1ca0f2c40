// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

/// Messages of a test besides those of perftest; both ends must know of them.
///
/// @param warmUp messages before those that count
/// @param average whether as many messages as were measured follow without stamps, for their average
record ExtraMessages(int warmUp, boolean average) {
    static final ExtraMessages NONE = new ExtraMessages(0, false);
}
