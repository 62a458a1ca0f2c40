// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.simulator.cm.CmPort;
import io.verbs4j.simulator.cm.ConnectionManager;
import io.verbs4j.simulator.cm.Environment;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.engine.Task;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.simulator.rxe.Address;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A simulated host as the environment of its connection manager.
final class HostEnvironment implements Environment {
    private final SimulatedHost host;
    private final SimulatedNetwork network;
    private final RandomGenerator random;
    private boolean across;

    HostEnvironment(SimulatedHost host, SimulatedNetwork network) {
        this.host = host;
        this.network = network;
        this.random = network.freshRandom();
    }

    @Override
    public Simulation simulation() {
        return network.simulation();
    }

    @Override
    public KernelProfile profile() {
        return host.profile();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public List<CmPort> ports() {
        return host.held().stream().map(SimulatedDevice::port).toList();
    }

    /// Returns the route to an address. Packets to a network leave by the first device on that network. Packets to an
    /// address of this host use that address as their source, as on Linux.
    @Override
    public @Nullable Route route(Address peer, int scope) {
        CmPort own = holder(peer);
        Route local = own != null && isWithin(own, scope) ? new Route(peer, own) : null;
        if (local != null && !across) {
            return local;
        }
        for (CmPort port : ports().stream().filter(each -> isWithin(each, scope) && !each.equals(own)).toList()) {
            for (Address address : port.node().addresses().stream().filter(Objects::nonNull).toList()) {
                if (address.isOnTheNetworkOf(peer)) {
                    return new Route(address, port);
                }
            }
        }
        return local;
    }

    /// Sets whether packets to an address of this host leave through a device that does not have this address.
    void routeAcross(boolean change) {
        across = change;
    }

    private static boolean isWithin(CmPort port, int scope) {
        return scope == 0 || port.node().interfaceIndex() == scope;
    }

    @Override
    public boolean answers(CmPort port, Address neighbour) {
        return network.wire().knows(port.node().rxe(), neighbour);
    }

    @Override
    public @Nullable ConnectionManager managerAt(Address address) {
        return network.held()
                .stream()
                .filter(each -> each.held().stream().anyMatch(device -> device.port().gidIndex(address) >= 0))
                .findFirst()
                .map(SimulatedHost::connections)
                .orElse(null);
    }

    @Override
    public void carry(CmPort from, Address to, Task arrival) {
        network.wire().carry(from.node().rxe(), to, arrival);
    }
}
