// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.device.DeviceFile;
import java.util.Optional;

/// Listens to one open device: to the calls on its file, and to its rings if it wants to. Safe for use by many threads.
public interface DeviceListener {
    /// Returns a file that passes every call on and listens to it.
    ///
    /// @param file the device's own file
    DeviceFile listen(DeviceFile file);

    /// Returns what listens to the device's rings; empty if only calls are of interest, which leaves the data path as
    /// it is.
    Optional<RingListener> rings();
}
