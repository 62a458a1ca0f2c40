// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.discovery.DeviceDirectory;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.stream.Collectors;

/// The RDMA devices of this machine: where every program starts.
public final class Devices {
    private Devices() {}

    /// The devices that are there now, ordered by name.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html">ibv_get_device_list(3)</a>
    public static List<Device> list() {
        return DeviceDirectory.system().devices().stream().map(Device::new).toList();
    }

    /// The device of that name.
    ///
    /// @throws VerbsException `ENODEV` if there is none; the message names those that are there
    public static Device find(String name) {
        List<Device> devices = list();
        return devices.stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new io.verbs4j.types.DeviceGoneException(
                        "find RDMA device " + name, Errno.ENODEV, absence(devices)));
    }

    private static String absence(List<Device> devices) {
        return devices.isEmpty()
                ? "this machine has no RDMA device; make one with 'modprobe rdma_rxe' and"
                        + " 'rdma link add rxe0 type rxe netdev <interface>'"
                : "there are " + devices.stream().map(Device::name).collect(Collectors.joining(", "));
    }

    /// Opens the device of that name.
    ///
    /// @throws VerbsException if there is none, or it cannot be opened
    public static Context open(String name) {
        return find(name).open();
    }
}
