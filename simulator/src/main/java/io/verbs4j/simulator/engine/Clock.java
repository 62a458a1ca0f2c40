// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

/// Course of time in a simulation.
public enum Clock {
    /// With the clock on the wall. A thread of the simulation wakes up for timers; programs need not know of anything.
    REAL,
    /// By itself only while packets are on their way; otherwise when it is asked to, or when somebody waits for an event. Nothing
    /// depends on the speed of the machine, so a run with the same seed and the same calls is the same run.
    VIRTUAL
}
