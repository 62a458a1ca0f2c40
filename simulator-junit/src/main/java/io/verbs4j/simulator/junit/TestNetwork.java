// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.junit;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/// The network of one test, and the contexts that were opened for its parameters.
final class TestNetwork implements AutoCloseable {
    private final SimulatedNetwork network;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final List<SimulatedDevice> simulated = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    /// The opened contexts, by the position of their device.
    private final Map<Integer, Context> contexts = new HashMap<>();
    private Host.Replacement current = () -> {};

    TestNetwork(SimulatedRdma wish) {
        require("hosts", wish.hosts(), 1);
        require("devices", wish.devices(), 0);
        network = wish.virtualTime()
                ? SimulatedNetwork.inVirtualTime(wish.seed())
                : SimulatedNetwork.inRealTime(wish.seed());
        network.conditions(new LinkConditions(
                wish.loss(),
                wish.duplication(),
                wish.corruption(),
                wish.reordering(),
                Duration.of(wish.delayMicros(), ChronoUnit.MICROS)));
        for (int i = 0; i < wish.hosts(); i++) {
            SimulatedHost host = network.addHost("host" + i, wish.kernel());
            host.connectsAcrossTheWire(true);
            for (int k = 0; k < wish.devices(); k++) {
                SimulatedDevice device = host.addDevice("rxe" + k);
                device.mtu(wish.mtu());
                simulated.add(device);
            }
            hosts.add(host);
            devices.addAll(Devices.of(host));
        }
    }

    /// Makes the first host the current host of this process, until the network is closed.
    ///
    /// @throws IllegalStateException if another test's host is current
    void becomeCurrent() {
        current = Host.replaceCurrent(hosts.getFirst());
    }

    private static void require(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " of @SimulatedRdma is less than " + least);
        }
    }

    /// Returns the value of a parameter.
    ///
    /// @param position position among the parameters of its type, from 0
    Object part(Class<?> type, int position) {
        if (type == SimulatedNetwork.class) {
            return network;
        }
        if (type == SimulatedHost.class) {
            return at(hosts, position, "SimulatedHost");
        }
        if (type == SimulatedDevice.class) {
            return at(simulated, position, "SimulatedDevice");
        }
        Device device = at(devices, position, type.getSimpleName());
        if (type == Device.class) {
            return device;
        }
        return contexts.compute(
                position, (_, open) -> open == null || open.isClosed() ? device.open() : open);
    }

    private static <T> T at(List<T> parts, int position, String type) {
        if (position >= parts.size()) {
            throw new ParameterResolutionException("parameter " + (position + 1) + " of type " + type
                    + " has no value: the network has only " + parts.size()
                    + "; set the numbers of hosts and devices in @SimulatedRdma");
        }
        return parts.get(position);
    }

    /// Closes the contexts that parameters received. A context that the test has closed stays closed.
    void closeContexts() {
        contexts.values().forEach(Context::close);
        contexts.clear();
    }

    /// Returns the objects that are open on the devices.
    List<String> left() {
        return IntStream.range(0, simulated.size())
                .boxed()
                .flatMap(i -> Stream.concat(
                        Stream.of(simulated.get(i).contexts())
                                .filter(open -> open > 0)
                                .map(open -> open + (open == 1 ? " context of " : " contexts of ") + name(i)),
                        simulated.get(i).objects().stream().map(object -> object + " of " + name(i))))
                .toList();
    }

    private String name(int device) {
        SimulatedHost host = hosts.get(device / (simulated.size() / hosts.size()));
        return hosts.size() == 1
                ? simulated.get(device).name()
                : simulated.get(device).name() + " of " + host.name();
    }

    @Override
    public void close() {
        current.close();
        network.close();
    }
}
