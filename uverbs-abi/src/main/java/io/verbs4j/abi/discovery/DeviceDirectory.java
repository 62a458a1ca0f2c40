// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.sysfs.Sysfs;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.NodeType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The RDMA devices of a machine that have a uverbs node. They are listed in `/sys/class/infiniband_verbs` and
/// described in `/sys/class/infiniband`; netlink provides the numbers of device and driver.
///
/// A device that is removed while it is being read is omitted.
public final class DeviceDirectory {
    /// The present version of rxe's own ABI.
    private static final int RXE_ABI_VERSION = 2;

    private final Path root;
    /// By the names of the character devices; null to ask netlink.
    private final @Nullable Map<String, DeviceIds> numbers;

    private DeviceDirectory(Path root, @Nullable Map<String, DeviceIds> numbers) {
        this.root = root;
        this.numbers = numbers;
    }

    /// Returns the running system's devices.
    public static DeviceDirectory system() {
        return new DeviceDirectory(Path.of("/"), null);
    }

    /// Returns the devices of a recorded or artificial system, whose drivers are guessed from sysfs.
    ///
    /// @param root directory that contains `sys` and `dev`
    public static DeviceDirectory below(Path root) {
        return below(root, Map.of());
    }

    /// Returns the devices of a recorded or artificial system.
    ///
    /// @param root directory that contains `sys` and `dev`
    /// @param numbers the numbers from netlink, by the names of the character devices
    static DeviceDirectory below(Path root, Map<String, DeviceIds> numbers) {
        return new DeviceDirectory(root, Map.copyOf(numbers));
    }

    /// Returns the present devices, in the order of their uverbs nodes.
    public List<UverbsDevice> devices() {
        return devices(null);
    }

    /// Returns the device with a name, such as `rxe0`. The others are not read.
    public Optional<UverbsDevice> device(String name) {
        List<UverbsDevice> found = devices(name);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst());
    }

    /// Returns the reason why there is no device, and the remedy.
    public Absence absence() {
        Map<String, DeviceIds> recorded = numbers;
        return AbsentDevices.explain(
                root,
                System.getProperty("os.name"),
                () -> !(recorded == null ? DeviceIds.byUverbsName(null) : recorded).isEmpty());
    }

    private List<UverbsDevice> devices(@Nullable String only) {
        Path nodes = root.resolve("sys/class/infiniband_verbs");
        int coreAbiVersion = Sysfs.number(nodes.resolve("abi_version"), 0);
        var devices = new ArrayList<UverbsDevice>();
        Map<String, DeviceIds> known = numbers;
        for (String uverbsName : Sysfs.names(nodes)) {
            Path uverbs = nodes.resolve(uverbsName);
            String name = uverbsName.startsWith("uverbs") ? Sysfs.text(uverbs.resolve("ibdev")) : null;
            if (name == null || (only != null && !only.equals(name))) {
                continue;
            }
            if (known == null) {
                known = DeviceIds.byUverbsName(only);
            }
            DeviceIds kernelNumbers = known.getOrDefault(uverbsName, DeviceIds.UNKNOWN);
            UverbsDevice device = read(name, uverbsName, uverbs, coreAbiVersion, kernelNumbers);
            if (device != null) {
                devices.add(device);
            }
        }
        return List.copyOf(devices);
    }

    private @Nullable UverbsDevice read(
            String name, String uverbsName, Path uverbs, int coreAbiVersion, DeviceIds kernelNumbers) {
        DeviceNumber number = DeviceNumber.parse(Sysfs.text(uverbs.resolve("dev"), ""));
        int abiVersion = Sysfs.number(uverbs.resolve("abi_version"), -1);
        if (number == null || abiVersion < 0) {
            return null;
        }
        Path device = root.resolve("sys/class/infiniband").resolve(name);
        int nodeType = Sysfs.number(device.resolve("node_type"), -1);
        if (nodeType < 0) {
            return null;
        }
        String parent = Sysfs.text(device.resolve("parent"));
        return new UverbsDevice(
                name,
                kernelNumbers.deviceIndex(),
                uverbsName,
                node(uverbsName, number),
                number.major(),
                number.minor(),
                kernelNumbers.driverId() == RdmaDriver.UNKNOWN
                        ? guess(parent, abiVersion)
                        : kernelNumbers.driverId(),
                abiVersion,
                coreAbiVersion,
                new NodeType(nodeType),
                Sysfs.guid(device.resolve("node_guid")),
                Sysfs.guid(device.resolve("sys_image_guid")),
                parent,
                Sysfs.text(device.resolve("fw_ver"), ""),
                Sysfs.names(device.resolve("ports")).size());
    }

    /// Guesses the driver without netlink: of the kernel's drivers, only rxe has its network interface in `parent`.
    private static int guess(@Nullable String parent, int abiVersion) {
        return parent != null && abiVersion == RXE_ABI_VERSION ? RdmaDriver.RXE : RdmaDriver.UNKNOWN;
    }

    /// Returns the node to open: the usual one, if it is sysfs's device, otherwise the one that udev keeps by number.
    /// If neither exists, returns the usual one, so that opening it reports the missing node.
    private Path node(String uverbsName, DeviceNumber number) {
        Path usual = root.resolve("dev/infiniband").resolve(uverbsName);
        if (isDevice(usual, number)) {
            return usual;
        }
        Path byNumber = root.resolve("dev/char").resolve(number.major() + ":" + number.minor());
        return isDevice(byNumber, number) ? byNumber : usual;
    }

    private static boolean isDevice(Path node, DeviceNumber number) {
        try {
            return (long) Files.getAttribute(node, "unix:rdev") == number.toStat();
        } catch (IOException e) {
            return false;
        }
    }
}
