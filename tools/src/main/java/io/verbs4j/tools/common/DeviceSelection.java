// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options `-d` and `-i` of commands that show devices and their ports.
public final class DeviceSelection {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "<device>",
            description = "Only this device, such as rxe0 (default: all).") private @Nullable String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "<port>",
            converter = CNumber.DevicePort.class,
            description = "Only this port, from 1 (default: all).") private @Nullable Integer port;

    /// Returns the selected devices.
    ///
    /// @throws ToolException if the machine has none
    public List<Device> devices() {
        List<Device> devices = device == null ? Devices.list() : List.of(Devices.find(device));
        if (devices.isEmpty()) {
            throw ToolDevices.none();
        }
        return devices;
    }

    /// Returns the numbers of the selected ports of a device.
    ///
    /// @param name name of the device
    /// @param count number of its ports
    /// @throws ToolException if it lacks the selected port
    public int[] ports(String name, int count) {
        if (port == null) {
            return IntStream.rangeClosed(1, count).toArray();
        }
        if (port > count) {
            throw new ToolException(name + " has no port " + port + ": it has " + count);
        }
        return new int[]{port};
    }
}
