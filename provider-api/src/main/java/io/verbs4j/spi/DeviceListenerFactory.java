// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.DriverAbi;
import java.util.Optional;

/// Creates listeners of opened devices. Found by `java.util.ServiceLoader`.
public interface DeviceListenerFactory {
    /// Returns a listener for a device that is being opened; empty for none.
    ///
    /// @param device the device's name, such as `rxe0`
    /// @param driver the driver's additions to the ABI
    Optional<DeviceListener> listener(String device, DriverAbi driver);
}
