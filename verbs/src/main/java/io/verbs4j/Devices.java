// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.host.Host;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Machine;
import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.stream.Collectors;

/// Lists and opens the RDMA devices of this machine. Every program starts here.
public final class Devices {
    private Devices() {}

    /// Returns the machine's current devices, ordered by name.
    ///
    /// @throws VerbsException if they cannot be listed: `EMFILE` if the process has no file descriptor left
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html">ibv_get_device_list(3)</a>
    public static List<Device> list() {
        return of(Host.current());
    }

    /// Returns the devices of a machine, such as a simulated one.
    ///
    /// @throws IllegalArgumentException if the machine was not created by verbs4j
    public static List<Device> of(Machine machine) {
        if (!(machine instanceof Host host)) {
            throw new IllegalArgumentException("machine=" + machine + " was not created by verbs4j or its simulator");
        }
        return host.devices().stream().map(device -> new Device(host, device)).toList();
    }

    /// Returns the device with the given name.
    ///
    /// @throws VerbsException `ENODEV` if there is no device of this name; the message lists the existing devices, or
    ///     explains why there are none and what to do. Another error number if the devices cannot be listed, such as
    ///     `EMFILE`
    public static Device find(String name) {
        return Host.current()
                .device(name)
                .map(device -> new Device(Host.current(), device))
                .orElseThrow(() -> new DeviceGoneException("find RDMA device " + name, Errno.ENODEV, absence(list())));
    }

    /// Returns whether this process can call `fork(2)` without losing access to its registered memory.
    ///
    /// Since Linux 5.12, a forked child gets copies of registered memory at once, and the parent keeps the pages that
    /// the device uses. Therefore, a call like `ibv_fork_init` is not needed. On an older kernel, the parent may lose
    /// the pages: until the child has called `exec`, the parent may write to a copy that the device does not access.
    /// Java starts child processes without `fork`, unless the system property `jdk.lang.Process.launchMechanism`
    /// requests it.
    ///
    /// @return false on older kernels, and if RDMA netlink is not available, as in some containers
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_is_fork_initialized.3.html">ibv_is_fork_initialized(3)</a>
    public static boolean copiesMemoryOnFork() {
        return Host.current().copiesMemoryOnFork();
    }

    private static String absence(List<Device> devices) {
        return devices.isEmpty()
                ? Host.current().absence().toString()
                : "there is no device of this name, only "
                        + devices.stream().map(Device::name).collect(Collectors.joining(", "));
    }

    /// Opens the device with the given name.
    ///
    /// @throws VerbsException if there is no such device, or the device cannot be opened
    public static Context open(String name) {
        return find(name).open();
    }
}
