// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.discovery.Absence;
import io.verbs4j.abi.host.Host;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Selects the device of a command.
public final class ToolDevices {
    private ToolDevices() {}

    /// Returns the failure of a command that finds no device, with reason and remedy.
    public static ToolException none() {
        Absence absence = Host.current().absence();
        return new ToolException(absence.reason(), absence.remedy());
    }

    /// Returns the device with a name, or the first one.
    ///
    /// @param name null for the first one
    public static Device select(@Nullable String name) {
        if (name != null) {
            return Devices.find(name);
        }
        List<Device> devices = Devices.list();
        if (devices.isEmpty()) {
            throw none();
        }
        return devices.getFirst();
    }
}
