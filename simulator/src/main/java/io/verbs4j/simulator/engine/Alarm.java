// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

/// A timer that is set, postponed and cancelled far more often than it fires, such as the retransmission timer of a
/// queue pair. Postponing costs one store: the simulation's list keeps the earlier time. At that time, the alarm goes
/// into the list again, with the later time.
public final class Alarm {
    private static final long OFF = Long.MAX_VALUE;

    private final Simulation simulation;
    private final Task action;
    private long due = OFF;
    /// Time at which the list next calls [#look()]. Valid only while `listed`.
    long listedFor;
    /// Order among alarms of the same time.
    long ticket;

    boolean listed;

    Alarm(Simulation simulation, Task action) {
        this.simulation = simulation;
        this.action = action;
    }

    /// Returns whether the alarm will fire.
    public boolean isSet() {
        return due != OFF;
    }

    /// Sets the alarm to fire after a time from now, replacing any earlier setting.
    ///
    /// @param nanos 0 or more
    public void set(long nanos) {
        due = simulation.now() + nanos;
        simulation.list(this, due);
    }

    /// Cancels the alarm. Idempotent.
    public void cancel() {
        due = OFF;
    }

    /// Called by the list at the time of the alarm.
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
