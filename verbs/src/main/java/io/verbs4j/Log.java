// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// The logger `io.verbs4j`, of the platform's [System.Logger]: it says what no return value and no exception says to the thread that is
/// concerned. Nothing on the data path logs. It is looked up at the first warning only: that takes some ten milliseconds, which the
/// start of a program would notice.
final class Log {
    static final System.Logger LOGGER = System.getLogger("io.verbs4j");

    private Log() {}
}
