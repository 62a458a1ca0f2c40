// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.RdmaDriver;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;

/// A simulated machine whose rxe devices are mlx5 cards to whoever opens them. They keep their names.
public final class CardMachine {
    private static final int ABI = 1;

    private CardMachine() {}

    /// Makes cards of a machine's devices.
    ///
    /// @param machine has rxe devices, in real time
    public static Host of(Host machine) {
        return (Host) Proxy.newProxyInstance(
                CardMachine.class.getClassLoader(), new Class<?>[]{Host.class}, (cards, method, arguments) -> {
                    switch (method.getName()) {
                        case "devices" -> {
                            return machine.devices().stream().map(CardMachine::card).toList();
                        }
                        case "open" -> {
                            return new CardFile(machine, machine.open((Path) arguments[0]));
                        }
                        default -> {
                            if (method.isDefault()) {
                                return InvocationHandler.invokeDefault(cards, method, arguments);
                            }
                            try {
                                return method.invoke(machine, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }
                    }
                });
    }

    /// Returns the card of a name.
    public static Device find(Host machine, String name) {
        return Devices.of(of(machine)).stream().filter(device -> device.name().equals(name)).findFirst().orElseThrow();
    }

    private static UverbsDevice card(UverbsDevice rxe) {
        return new UverbsDevice(
                rxe.name(),
                rxe.index(),
                rxe.uverbsName(),
                rxe.node(),
                rxe.major(),
                rxe.minor(),
                RdmaDriver.MLX5,
                ABI,
                rxe.coreAbiVersion(),
                rxe.nodeType(),
                rxe.nodeGuid(),
                rxe.systemImageGuid(),
                rxe.networkInterface(),
                rxe.firmwareVersion(),
                rxe.ports());
    }
}
