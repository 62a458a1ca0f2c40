// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.spi.DeviceListener;
import io.verbs4j.spi.DeviceListenerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Finds who listens to devices that are opened, once a process.
final class DeviceListeners {
    /// The system property that asks for a trace; `io.verbs4j.tracing` reads it.
    private static final String TRACE = "verbs4j.trace";

    private static volatile @Nullable List<DeviceListenerFactory> known;

    private DeviceListeners() {}

    /// Returns the first listener that wants to hear of a device.
    ///
    /// @throws IllegalStateException if a system property asks for a trace and nothing here can make one
    static Optional<DeviceListener> find(String device, DriverAbi driver) {
        return find(all(), device, driver);
    }

    static Optional<DeviceListener> find(List<DeviceListenerFactory> factories, String device, DriverAbi driver) {
        String trace = System.getProperty(TRACE, "");
        if (factories.isEmpty() && !trace.isBlank()) {
            throw new IllegalStateException(TRACE + "=" + trace + " asks for a trace, and the module io.verbs4j.tracing"
                    + " is not there to make one; put verbs4j-tracing on the module path or class path");
        }
        return factories.stream().flatMap(factory -> factory.listener(device, driver).stream()).findFirst();
    }

    private static List<DeviceListenerFactory> all() {
        List<DeviceListenerFactory> found = known;
        if (found == null) {
            var search = new ArrayList<DeviceListenerFactory>();
            ServiceLoader.load(DeviceListenerFactory.class, DeviceListeners.class.getClassLoader())
                    .forEach(search::add);
            found = List.copyOf(search);
            known = found;
        }
        return found;
    }
}
