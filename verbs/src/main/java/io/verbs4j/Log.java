// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// The logger `io.verbs4j` of the platform's [System.Logger]. It reports conditions that no return value or exception
/// can report to the affected thread. The data path never logs. This class is loaded at the first warning, because
/// finding the logger takes about ten milliseconds.
final class Log {
    static final System.Logger LOGGER = System.getLogger("io.verbs4j");

    private Log() {}
}
