// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.cm.CmFileListener;
import io.verbs4j.abi.device.DeviceFile;
import java.util.Optional;

/// Adds the connection manager's device file to the running trace ([Tracing]).
public final class TraceCmListener implements CmFileListener {
    /// Called by `java.util.ServiceLoader`.
    public TraceCmListener() {}

    @Override
    public Optional<DeviceFile> listen(DeviceFile file) {
        return Tracing.connectionManager(file);
    }
}
