// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.device.DeviceFile;
import java.util.Optional;

/// Observes the connection manager's device file. Found by `java.util.ServiceLoader`. Thread-safe.
@FunctionalInterface
public interface CmFileListener {
    /// Returns a file that forwards every call and observes it; empty to leave the file as it is.
    ///
    /// @param file a file that was just opened
    Optional<DeviceFile> listen(DeviceFile file);
}
