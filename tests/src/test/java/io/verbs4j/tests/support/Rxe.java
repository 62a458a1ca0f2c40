// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.types.Gid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The lab's two rxe devices on the two ends of a wire. If they are missing, tests fail: a suite that skips itself
/// proves nothing.
public final class Rxe {
    /// On `veth0`, with address 10.9.0.1.
    public static final String LEFT = "rxe0";

    /// On `veth1`, with address 10.9.0.2.
    public static final String RIGHT = "rxe1";

    /// Index of the IPv4 GID; 0 is the link-local one.
    public static final int IPV4_INDEX = 1;

    /// Found once: looking for a device is a tenth of the work of an average test.
    private static final Map<String, Device> FOUND = new ConcurrentHashMap<>();

    private Rxe() {}

    /// Opens the left device.
    public static Context open() {
        return open(LEFT);
    }

    /// Opens one of the two devices, which do not change while the guest runs.
    ///
    /// @param device [#LEFT] or [#RIGHT]
    public static Context open(String device) {
        return FOUND.computeIfAbsent(device, Wire::find).open();
    }

    /// Node of the left device.
    public static Path node() {
        return Devices.find(LEFT).node();
    }

    /// Returns the right device's node.
    public static Path peerNode() {
        return Devices.find(RIGHT).node();
    }

    /// Opens the left device's file, without a context.
    public static DeviceFile openFile() {
        return Host.current().open(node());
    }

    /// Returns what a device's port has counted under a name of its hardware counters.
    public static long counter(String device, String name) {
        return Host.current().hardwareCounters(device, 1).value(name).orElseThrow();
    }

    /// Returns an attribute of the left device in sysfs.
    ///
    /// @param attribute a path below the device's folder
    public static String sysfs(String attribute) {
        return read(Path.of("/sys/class/infiniband", LEFT, attribute));
    }

    /// Returns what sysfs says about the left device's port.
    public static String portSysfs(String attribute) {
        return sysfs("ports/1/" + attribute);
    }

    /// Returns the names in a folder of the left device's port in sysfs.
    ///
    /// @param folder below the port's folder
    public static List<String> portSysfsNames(String folder) {
        try (Stream<Path> files = Files.list(Path.of("/sys/class/infiniband", LEFT, "ports/1", folder))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// RoCE packets that the left device has sent.
    public static long sentPackets() {
        return counter(LEFT, "sent_pkts");
    }

    /// Returns the address at which programs of the right device are reached by TCP.
    public static String rightMachine() {
        return Simulated.isUsed() ? "127.0.0.1" : "10.9.0.2";
    }

    /// Returns the GID of an IPv4 address on the wire.
    ///
    /// @param host last byte of the address, or the last two
    public static Gid gid(int host) {
        return new Gid(0, 0x0000_ffff_0a09_0000L | host);
    }

    /// Runs something while the left device's interface has another MTU.
    public static void withMtu(int bytes, Runnable action) {
        setMtu(bytes);
        try {
            action.run();
        } finally {
            setMtu(1500);
        }
    }

    /// Runs something while the left device's interface alone has another MTU.
    public static void withMtuOfTheLeftAlone(int bytes, Runnable action) {
        setMtu(bytes, 1500);
        try {
            action.run();
        } finally {
            setMtu(1500);
        }
    }

    /// Both ends: what an end sends and the other cannot take ends rxe's queue pair with a local error.
    private static void setMtu(int bytes) {
        setMtu(bytes, bytes);
    }

    private static void setMtu(int left, int right) {
        if (Simulated.isUsed()) {
            Simulated.device(LEFT).mtu(left);
            Simulated.device(RIGHT).mtu(right);
            return;
        }
        ExternalProcess.of("ip", "-batch", "-")
                .input("link set veth0 mtu %d\nlink set veth1 mtu %d\n".formatted(left, right))
                .run(Duration.ofSeconds(10))
                .requireSuccess();
    }

    private static String read(Path path) {
        try {
            return Files.readString(path).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
