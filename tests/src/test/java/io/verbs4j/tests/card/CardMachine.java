// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.tests.support.ChangedDevices;
import io.verbs4j.tests.support.Forwarding;
import java.nio.file.Path;

/// A simulated machine whose rxe devices are mlx5 cards to whoever opens them. They keep their names.
public final class CardMachine {
    private static final int ABI = 1;

    private CardMachine() {}

    /// Makes cards of a machine's devices.
    ///
    /// @param machine has rxe devices, in real time
    public static Host of(Host machine) {
        return ChangedDevices.of(Forwarding.of(
                Host.class,
                (_, method, arguments) -> method.getName().equals("open")
                        ? new CardFile(machine, machine.open((Path) arguments[0]))
                        : Forwarding.pass(machine, method, arguments)),
                CardMachine::card);
    }

    /// Returns the card of a name.
    public static Device find(Host machine, String name) {
        return Devices.of(of(machine)).stream().filter(device -> device.name().equals(name)).findFirst().orElseThrow();
    }

    private static UverbsDevice card(UverbsDevice rxe) {
        return ChangedDevices.like(rxe, RdmaDriver.MLX5, ABI, rxe.nodeType(), rxe.networkInterface());
    }
}
