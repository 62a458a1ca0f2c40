// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.Packet;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.simulator.rxe.Wire;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One wire that all devices are on.
final class NetworkWire implements Wire {
    /// How long a packet that others overtake travels beyond the rest.
    private static final long DETOUR = 100_000;

    private final Simulation simulation;
    private final RandomGenerator random;
    private final Map<Address, RxeDevice> devices = new LinkedHashMap<>();
    private LinkConditions conditions = LinkConditions.PERFECT;
    private boolean perfect = true;
    private @Nullable Capture capture;

    NetworkWire(Simulation simulation, RandomGenerator random) {
        this.simulation = simulation;
        this.random = random;
    }

    void conditions(LinkConditions next) {
        conditions = next;
        perfect = next.isPerfect();
    }

    void capture(Capture next) {
        capture = next;
    }

    void add(Address address, RxeDevice device) {
        devices.put(address, device);
    }

    void remove(Address address) {
        devices.remove(address);
    }

    @Override
    public boolean knows(RxeDevice sender, Address address) {
        return devices.containsKey(address);
    }

    @Override
    public boolean send(RxeDevice sender, Packet packet) {
        if (capture != null) {
            capture.write(simulation.now(), packet, sender);
        }
        if (packet.destination().isMulticast()) {
            for (RxeDevice device : new LinkedHashSet<>(devices.values())) {
                if (device.listensTo(packet.destination())) {
                    deliver(packet.copyTo(device), device == sender);
                }
            }
            return true;
        }
        RxeDevice receiver = devices.get(packet.destination());
        if (receiver != null) {
            deliver(packet.to(receiver), receiver == sender);
        }
        return true;
    }

    private void deliver(Packet packet, boolean atHome) {
        if (perfect || atHome) {
            simulation.add(packet);
            return;
        }
        travel(packet);
        if (happens(conditions.duplication())) {
            travel(packet);
        }
    }

    private void travel(Packet packet) {
        if (happens(conditions.loss()) || happens(conditions.corruption())) {
            return;
        }
        long time = conditions.delay().toNanos();
        simulation.travel(happens(conditions.reordering()) ? time + DETOUR : time, packet);
    }

    private boolean happens(double share) {
        return share > 0 && random.nextDouble() < share;
    }
}
