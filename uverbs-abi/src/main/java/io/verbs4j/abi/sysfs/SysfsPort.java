// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sysfs;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.types.Errno;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.PortState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The attributes of a port that only sysfs has: its P_Keys and its driver's counters. No command queries them.
public final class SysfsPort {
    private static final String LIFESPAN = "lifespan";
    private static final Pattern STATE = Pattern.compile("(\\d{1,3}): .*");

    private final Path port;

    private SysfsPort(Path port) {
        this.port = port;
    }

    /// Returns a port of a device of this machine.
    ///
    /// @param number from 1
    public static SysfsPort of(String deviceName, int number) {
        return of(Path.of("/sys"), deviceName, number);
    }

    /// Returns a port of a device of a recorded or artificial system.
    ///
    /// @param sys the directory of sysfs
    static SysfsPort of(Path sys, String deviceName, int number) {
        return new SysfsPort(folder(sys, deviceName).resolve(Integer.toString(number)));
    }

    /// Returns the folder of a device's ports.
    static Path folder(Path sys, String deviceName) {
        return sys.resolve("class/infiniband").resolve(deviceName).resolve("ports");
    }

    /// Returns the P_Keys by index (`pkeys/INDEX`), 16 bits each; the highest bit marks a full member.
    ///
    /// @throws io.verbs4j.types.DeviceGoneException if the port no longer exists
    public List<Integer> pkeys() {
        Path folder = require("query P_Key table").resolve("pkeys");
        var pkeys = new ArrayList<Integer>();
        for (String index : Sysfs.names(folder)) {
            pkeys.add(Sysfs.number(folder.resolve(index), 0));
        }
        return List.copyOf(pkeys);
    }

    /// Returns the driver's counters (`hw_counters/NAME`), and the maximum age of a value (`hw_counters/lifespan`, in
    /// milliseconds). Empty for a driver without counters.
    ///
    /// @throws io.verbs4j.types.DeviceGoneException if the port no longer exists
    public HardwareCounters hardwareCounters() {
        Path folder = require("read hardware counters").resolve("hw_counters");
        return new HardwareCounters(Duration.ofMillis(Sysfs.number(folder.resolve(LIFESPAN), 0)), counters(folder));
    }

    /// Returns the state (`state`, such as `4: ACTIVE`); empty if the port no longer exists.
    public Optional<PortState> state() {
        Matcher number = STATE.matcher(Sysfs.text(port.resolve("state"), ""));
        return number.matches() ? Optional.of(new PortState(Integer.parseInt(number.group(1)))) : Optional.empty();
    }

    /// Returns the counters by name: those of InfiniBand (`counters`) and those of the driver (`hw_counters`). Empty if
    /// the device has none, or was removed.
    public SortedMap<String, Long> counters() {
        SortedMap<String, Long> all = counters(port.resolve("counters"));
        all.putAll(counters(port.resolve("hw_counters")));
        return all;
    }

    /// Reads the counters. Other contents are ignored: unreadable counters of some hardware, or other files.
    private static SortedMap<String, Long> counters(Path folder) {
        var values = new TreeMap<String, Long>();
        for (String name : Sysfs.names(folder)) {
            String text = Sysfs.text(folder.resolve(name));
            Long value = text == null || name.equals(LIFESPAN) ? null : number(text);
            if (value != null) {
                values.put(name, value);
            }
        }
        return values;
    }

    private static @Nullable Long number(String text) {
        try {
            return text.startsWith("+") ? null : Long.valueOf(Long.parseUnsignedLong(text));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private Path require(String operation) {
        if (!Files.isDirectory(port)) {
            throw KernelErrors.failure(operation, Errno.ENODEV, port + " is not there");
        }
        return port;
    }
}
