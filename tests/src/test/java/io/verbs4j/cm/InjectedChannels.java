// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.device.DeviceFile;
import java.util.function.Supplier;

/// Lets connections speak with another file than the kernel's node.
public final class InjectedChannels {
    private InjectedChannels() {}

    /// Returns options whose channels stand on other files.
    public static ConnectionOptions in(ConnectionOptions options, Supplier<DeviceFile> files) {
        return options.withChannels(() -> EventChannel.of(files.get()));
    }
}
