// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Facts about the machine for a reader of the report: versions, kernel, device, driver, firmware.
final class Facts {
    private static final Path SYSFS = Path.of("/sys/class/infiniband");

    private final List<String> lines = new ArrayList<>();
    private final Device device;

    private Facts(Device device) {
        this.device = device;
    }

    /// Returns the lines of the report's header.
    static List<String> of(Device device) {
        var facts = new Facts(device);
        facts.gather();
        return facts.lines;
    }

    private void gather() {
        add("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        String version = Facts.class.getPackage().getImplementationVersion();
        add("verbs4j", version == null ? "unknown, because it does not run from a jar" : version);
        add("Java", System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.version"));
        add("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch"));
        add("device", device.name() + ", " + device.node() + ", " + device.nodeType() + ", "
                + device.networkInterface().map(name -> "on " + name).orElse("network interface unknown"));
        String provider = device.providerName().orElse("none");
        add("provider", provider + (device.isExperimental() ? ", EXPERIMENTAL: never tested on a real device" : ""));
        add("driver", "id " + device.driverId() + ", ABI " + device.driverAbiVersion() + driverModule());
        add("firmware", device.firmwareVersion().isEmpty() ? "none" : device.firmwareVersion());
        sysfs("board", "board_id");
        sysfs("PCI vendor", "device/vendor");
        sysfs("PCI device", "device/device");
        add("libibverbs", first(
                Program.output("dpkg-query", "-W", "-f", "${Package} ${Version}", "libibverbs1"),
                Program.output("rpm", "-q", "libibverbs")));
        add("perftest", first(
                Program.output("dpkg-query", "-W", "-f", "${Package} ${Version}", "perftest"),
                Program.output("rpm", "-q", "perftest")));
    }

    private String driverModule() {
        try {
            Path driver = Files.readSymbolicLink(SYSFS.resolve(device.name()).resolve("device/driver"));
            return ", module of the device " + driver.getFileName();
        } catch (IOException e) {
            return ""; // software devices have none
        }
    }

    private void sysfs(String what, String file) {
        try {
            add(what,
                    Files.readString(SYSFS.resolve(device.name()).resolve(file), StandardCharsets.ISO_8859_1).strip());
        } catch (IOException e) {
            // software devices have none
        }
    }

    private static String first(Optional<String> one, Optional<String> other) {
        return one.or(() -> other).map(String::strip).orElse("not installed as a package");
    }

    private void add(String what, String value) {
        lines.add(String.format("%-12s %s", what + ":", value));
    }
}
