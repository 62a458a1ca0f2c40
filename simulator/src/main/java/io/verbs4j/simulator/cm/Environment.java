// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.engine.Task;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.simulator.rxe.Address;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The host of a connection manager, and the network beyond it.
public interface Environment {
    /// The source of a route to a peer.
    ///
    /// @param address the source address of packets
    /// @param port the port that sends them
    record Route(Address address, CmPort port) {}

    /// Returns the simulation.
    Simulation simulation();

    /// Returns the simulated kernel.
    KernelProfile profile();

    /// Returns the source of the kernel's random numbers.
    RandomGenerator random();

    /// Returns the ports of this host.
    List<CmPort> ports();

    /// Returns the route to a peer.
    ///
    /// @param scope number of the required network interface; 0 for any
    /// @return null if there is none
    @Nullable
    Route route(Address peer, int scope);

    /// Returns whether a neighbour has an address.
    boolean answers(CmPort port, Address neighbour);

    /// Returns the connection manager of the host with an address.
    ///
    /// @return null if no host has it
    @Nullable
    ConnectionManager managerAt(Address address);

    /// Sends a message to the host with an address. The wire delays it like a packet, but loses none.
    void carry(CmPort from, Address to, Task arrival);

    /// Returns the port with an address.
    ///
    /// @return null if this host does not have it
    default @Nullable CmPort holder(Address address) {
        return ports().stream().filter(port -> port.gidIndex(address) >= 0).findFirst().orElse(null);
    }
}
