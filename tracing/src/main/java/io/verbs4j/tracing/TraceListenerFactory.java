// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.spi.DeviceListener;
import io.verbs4j.spi.DeviceListenerFactory;
import java.util.Optional;

/// Creates listeners for the running trace ([Tracing]).
public final class TraceListenerFactory implements DeviceListenerFactory {
    /// Called by `java.util.ServiceLoader`.
    public TraceListenerFactory() {}

    @Override
    public Optional<DeviceListener> listener(String device, DriverAbi driver) {
        return Tracing.listener(device, driver);
    }
}
