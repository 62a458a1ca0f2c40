// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

/// A timer that is set, put off and cancelled far more often than it goes off, like the retransmission timer of a queue pair.
/// So putting it off costs one store: what stands in the simulation's list is an earlier time, at which the alarm finds that it
/// has to wait on.
public final class Alarm {
    private static final long OFF = Long.MAX_VALUE;

    private final Simulation simulation;
    private final Task action;
    private long due = OFF;
    /// Time at which the list looks at it next; counts only while `listed`.
    long listedFor;
    /// Order among alarms of the same time.
    long ticket;

    boolean listed;

    Alarm(Simulation simulation, Task action) {
        this.simulation = simulation;
        this.action = action;
    }

    /// Returns whether it will go off.
    public boolean isSet() {
        return due != OFF;
    }

    /// Lets it go off after a time from now, whatever it was set to.
    ///
    /// @param nanos 0 or more
    public void set(long nanos) {
        due = simulation.now() + nanos;
        simulation.list(this, due);
    }

    /// Lets it not go off.
    public void cancel() {
        due = OFF;
    }

    /// Its time in the list has come.
    void look() {
        if (due == OFF) {
            return;
        }
        if (due > simulation.now()) {
            simulation.list(this, due);
            return;
        }
        due = OFF;
        action.run();
    }
}
