// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.Host;
import io.verbs4j.types.NodeType;
import java.lang.reflect.InvocationHandler;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Simulated machines that report changed devices. The devices keep their names.
public final class ChangedDevices {
    private ChangedDevices() {}

    /// Returns a machine with changed devices.
    public static Host of(Host machine, UnaryOperator<UverbsDevice> change) {
        return Forwarding.of(Host.class, (changed, method, arguments) -> {
            if (method.getName().equals("devices")) {
                return machine.devices().stream().map(change).toList();
            }
            // The default methods call the changed ones.
            return method.isDefault() ? InvocationHandler.invokeDefault(changed, method, arguments)
                    : Forwarding.pass(machine, method, arguments);
        });
    }

    /// Returns a device that is like another one, apart from its driver, its kind and its network interface.
    public static UverbsDevice like(
            UverbsDevice device, int driver, int driverAbi, NodeType type, @Nullable String networkInterface) {
        return new UverbsDevice(
                device.name(),
                device.index(),
                device.uverbsName(),
                device.node(),
                device.major(),
                device.minor(),
                driver,
                driverAbi,
                device.coreAbiVersion(),
                type,
                device.nodeGuid(),
                device.systemImageGuid(),
                networkInterface,
                device.firmwareVersion(),
                device.ports());
    }
}
