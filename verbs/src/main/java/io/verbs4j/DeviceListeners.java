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

/// Finds the listeners of opened devices, once per process.
final class DeviceListeners {
    /// The system property that requests a trace; `io.verbs4j.tracing` reads it.
    private static final String TRACE = "verbs4j.trace";

    private static volatile @Nullable List<DeviceListenerFactory> known;

    private DeviceListeners() {}

    /// Returns the first listener that is interested in a device.
    ///
    /// @throws IllegalStateException if the system property requests a trace and the tracing module is missing
    static Optional<DeviceListener> find(String device, DriverAbi driver) {
        return find(all(), device, driver);
    }

    static Optional<DeviceListener> find(List<DeviceListenerFactory> factories, String device, DriverAbi driver) {
        String trace = System.getProperty(TRACE, "");
        if (factories.isEmpty() && !trace.isBlank()) {
            throw new IllegalStateException(TRACE + "=" + trace + " requests a trace, but the module io.verbs4j.tracing"
                    + " is missing; put verbs4j-tracing on the module path or class path");
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
