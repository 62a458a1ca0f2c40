// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Chooses the device that a command works with.
public final class ToolDevices {
    /// Advice for a machine without any device.
    public static final String NONE =
            "this machine has no RDMA device; make one with 'verbs link add rxe0 --netdev <interface>'";

    private ToolDevices() {}

    /// The device of that name, or the first one.
    ///
    /// @param name null for the first one
    public static Device select(@Nullable String name) {
        if (name != null) {
            return Devices.find(name);
        }
        List<Device> devices = Devices.list();
        if (devices.isEmpty()) {
            throw new ToolException(NONE);
        }
        return devices.getFirst();
    }
}
