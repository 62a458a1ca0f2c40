// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.host.HostFactory;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import java.util.List;
import java.util.stream.Stream;

/// What this process holds of simulated devices, which the simulation knows without netlink.
final class SimulatedLeaks {
    private SimulatedLeaks() {}

    /// Whether the tests run on simulated devices.
    static boolean isSimulated() {
        return System.getProperty(HostFactory.PROPERTY) != null;
    }

    /// The objects of all devices.
    ///
    /// @param withContexts whether open contexts count, too
    static List<String> objects(boolean withContexts) {
        var host = (SimulatedHost) Host.current();
        return Stream.of(Rxe.LEFT, Rxe.RIGHT)
                .flatMap(name -> host.find(name).stream())
                .flatMap(device -> Stream.concat(
                        device.objects().stream().map(object -> device + " " + object),
                        withContexts ? contexts(device) : Stream.of()))
                .toList();
    }

    private static Stream<String> contexts(SimulatedDevice device) {
        return Stream.iterate(1, n -> n <= device.contexts(), n -> n + 1).map(n -> device + " context " + n);
    }
}
