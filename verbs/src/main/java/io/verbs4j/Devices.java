// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.host.Host;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Machine;
import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.stream.Collectors;

/// The RDMA devices of this machine: where every program starts.
public final class Devices {
    private Devices() {}

    /// The devices that are there now, ordered by name.
    ///
    /// @throws VerbsException if they cannot be looked at: `EMFILE` if the process has no file descriptor left
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html">ibv_get_device_list(3)</a>
    public static List<Device> list() {
        return of(Host.current());
    }

    /// Returns the devices of a machine, such as a simulated one.
    ///
    /// @throws IllegalArgumentException if it is no machine of verbs4j
    public static List<Device> of(Machine machine) {
        if (!(machine instanceof Host host)) {
            throw new IllegalArgumentException("machine=" + machine + " is none that verbs4j or its simulator made");
        }
        return host.devices().stream().map(device -> new Device(host, device)).toList();
    }

    /// The device of that name.
    ///
    /// @throws VerbsException `ENODEV` if there is none; the message names those that are there, or says why there are none and what
    ///     to do about it. Another error number if they
    ///     cannot be looked at, such as `EMFILE` if the process has no file descriptor left
    public static Device find(String name) {
        return Host.current()
                .device(name)
                .map(device -> new Device(Host.current(), device))
                .orElseThrow(() -> new DeviceGoneException("find RDMA device " + name, Errno.ENODEV, absence(list())));
    }

    /// Returns whether registered memory is safe from `fork(2)`: a forked child gets copies of it at once, and the parent keeps the
    /// pages that the device knows. So it is since Linux 5.12, and then nothing like `ibv_fork_init` is needed. On an older
    /// kernel, what this process writes to registered memory while a forked child has not yet called `exec` may go to a copy that the
    /// device does not know. Java's own child processes are not made by `fork` unless the system property
    /// `jdk.lang.Process.launchMechanism` says so.
    ///
    /// @return false also if netlink cannot be asked, as in some containers
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_is_fork_initialized.3.html">ibv_is_fork_initialized(3)</a>
    public static boolean copiesMemoryOnFork() {
        return Host.current().copiesMemoryOnFork();
    }

    private static String absence(List<Device> devices) {
        return devices.isEmpty()
                ? Host.current().absence().toString()
                : "there are " + devices.stream().map(Device::name).collect(Collectors.joining(", "));
    }

    /// Opens the device of that name.
    ///
    /// @throws VerbsException if there is none, or it cannot be opened
    public static Context open(String name) {
        return find(name).open();
    }
}
