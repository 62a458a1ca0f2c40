// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.device.DeviceFile;
import java.util.Optional;

/// Observes one open device: the calls on its file, and optionally its rings. Thread-safe.
public interface DeviceListener {
    /// Returns a file that forwards every call and observes it.
    ///
    /// @param file the device's own file
    DeviceFile listen(DeviceFile file);

    /// Returns the listener for the device's rings. Empty if only calls are observed, which does not slow down the data
    /// path.
    Optional<RingListener> rings();
}
