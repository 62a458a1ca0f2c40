// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/// One end of a run: starts, and returns what it printed.
interface End {
    /// Holds the output and the times of a run.
    ///
    /// @param output lines of output
    /// @param processorNanos user and system time
    /// @param compilerNanos working time of the JVM's compilers since the previous run; 0 for C
    record Outcome(List<String> output, long processorNanos, long compilerNanos) {}

    /// Begins the run.
    void start(List<String> command) throws IOException;

    /// Returns whether the run has ended already, well or badly.
    boolean hasEnded();

    /// Waits for the end of the run.
    ///
    /// @param nanos the timeout
    /// @throws TimeoutException after the timeout; the end is stopped then
    /// @throws IOException if the run failed
    Outcome await(long nanos) throws IOException, InterruptedException, TimeoutException;

    /// Stops a run that nobody wants any more.
    void stop();
}
