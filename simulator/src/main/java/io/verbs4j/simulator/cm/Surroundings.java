// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.KernelProfile;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.engine.Task;
import io.verbs4j.simulator.rxe.Address;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The machine that a connection manager belongs to, and the network beyond it.
public interface Surroundings {
    /// Source of a way to a peer.
    ///
    /// @param address from which packets go
    /// @param port by which they go
    record Route(Address address, CmPort port) {}

    /// Returns the order in which things happen.
    Simulation simulation();

    /// Returns the kernel that it is like.
    KernelProfile profile();

    /// Returns the source of numbers that a kernel chooses by chance.
    RandomGenerator random();

    /// Returns the ports of this machine.
    List<CmPort> ports();

    /// Returns the way to a peer.
    ///
    /// @param scope number of the network interface that it is to go by; 0 for any
    /// @return null if there is none
    @Nullable
    Route route(Address peer, int scope);

    /// Returns whether a neighbour has an address.
    boolean answers(CmPort port, Address neighbour);

    /// Returns the connection manager of the machine that has an address.
    ///
    /// @return null if nobody has it
    @Nullable
    ConnectionManager managerAt(Address address);

    /// Brings a message to whoever has an address. The wire delays it as any packet, and loses none of them.
    void carry(CmPort from, Address to, Task arrival);

    /// Returns the port that has an address.
    ///
    /// @return null if this machine does not have it
    default @Nullable CmPort holder(Address address) {
        return ports().stream().filter(port -> port.gidIndex(address) >= 0).findFirst().orElse(null);
    }
}
