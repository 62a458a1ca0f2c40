// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.device.DeviceFile;
import java.util.Optional;

/// Listens to the connection manager's device file, found by `java.util.ServiceLoader`. Safe for use by many threads.
@FunctionalInterface
public interface CmFileListener {
    /// Returns a file that passes every call on and listens to it; empty to leave the file as it is.
    ///
    /// @param file a file that was just opened
    Optional<DeviceFile> listen(DeviceFile file);
}
