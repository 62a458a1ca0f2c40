// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.simulator.KernelProfile;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Rxe;
import java.time.Duration;

/// Simulated devices that claim to behave like those of the running kernel, in virtual time: a walk never waits.
final class SimulatedEnds implements AutoCloseable {
    /// Longer than all timers of a walk, so that one pause is enough.
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(1);
    private final SimulatedHost host = network.addHost("simulated", profile());

    SimulatedEnds() {
        host.addDevice(Rxe.LEFT);
        host.addDevice(Rxe.RIGHT);
    }

    private static KernelProfile profile() {
        return Kernel.isAtLeast(7, 0) ? KernelProfile.LINUX_7_2
                : Kernel.isAtLeast(6, 12) ? KernelProfile.LINUX_6_12 : KernelProfile.LINUX_6_1;
    }

    /// Opens both ends for a walk.
    RxeDevice open(boolean patient) {
        return new RxeDevice(patient, this::open, () -> network.advance(PAUSE));
    }

    private Context open(String name) {
        return Devices.of(host)
                .stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .map(Device::open)
                .orElseThrow();
    }

    @Override
    public void close() {
        network.close();
    }
}
