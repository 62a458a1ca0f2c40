// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

/// The kinds of time in a simulation.
public enum Clock {
    /// Wall-clock time. A thread of the simulation wakes up for timers, so programs need not be aware of the
    /// simulation.
    REAL,
    /// Simulated time. It passes by itself only while packets are in flight. Otherwise it passes on request, or while a
    /// thread waits for an event. Virtual time does not depend on the machine's speed, so the same seed and the same
    /// calls give the same run.
    VIRTUAL
}
