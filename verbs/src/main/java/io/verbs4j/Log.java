// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// The logger `io.verbs4j` of the platform's [System.Logger]. It reports conditions that no return value or exception
/// can report to the affected thread. The data path never logs. The logger is looked up at the first warning: that
/// takes about ten milliseconds, which would delay the start of a program.
final class Log {
    static final System.Logger LOGGER = System.getLogger("io.verbs4j");

    private Log() {}
}
