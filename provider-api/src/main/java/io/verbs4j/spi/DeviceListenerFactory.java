// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.DriverAbi;
import java.util.Optional;

/// Makes listeners of devices that are opened, found by `java.util.ServiceLoader`.
public interface DeviceListenerFactory {
    /// Returns a listener for a device that is being opened; empty for none.
    ///
    /// @param device its name, such as `rxe0`
    /// @param driver the driver's additions to the ABI
    Optional<DeviceListener> listener(String device, DriverAbi driver);
}
