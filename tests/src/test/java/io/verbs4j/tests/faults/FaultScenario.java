// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import io.verbs4j.Context;
import io.verbs4j.VerbsObject;
import java.util.List;

/// Programs on whose paths each system call can fail. They do the same on a simulated device and on a real one.
enum FaultScenario {
    /// A reliable connection with a shared receive queue, a completion channel, an address handle and a memory window.
    CONNECTION(ConnectionSteps::take),
    /// Datagrams, multicast groups and the table of GIDs.
    DATAGRAMS(DatagramSteps::take),
    /// An unreliable connection.
    UNRELIABLE_CONNECTION(UnreliableSteps::take),
    /// Re-registered and advised memory, as far as device and kernel can.
    MEMORY(MemorySteps::take);

    private final Steps steps;

    /// Describes what a program does before it closes what it has made.
    private interface Steps {
        /// @return what was made, in an order in which it can be closed
        List<VerbsObject> take(Context context, int gidIndex) throws InterruptedException;
    }

    FaultScenario(Steps steps) {
        this.steps = steps;
    }

    /// Runs to its end, or to the first exception.
    ///
    /// @param closes whether it closes its objects; otherwise the context closes them
    void run(Context context, int gidIndex, boolean closes) throws InterruptedException {
        List<VerbsObject> made = steps.take(context, gidIndex);
        if (closes) {
            made.forEach(VerbsObject::close);
        }
    }
}
