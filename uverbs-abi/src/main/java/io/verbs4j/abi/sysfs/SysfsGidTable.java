// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sysfs;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.VerbsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The GID tables of a device, from `ports/PORT/gids` and `ports/PORT/gid_attrs`. For kernels without a command for
/// them.
///
/// Every slot is a file, used or not. An unused one reads as zeros, and its attributes cannot be read.
public final class SysfsGidTable {
    private final Path sys;
    private final Path ports;

    private SysfsGidTable(Path sys, String deviceName) {
        this.sys = sys;
        this.ports = SysfsPort.folder(sys, deviceName);
    }

    /// Returns the tables of a device of this machine.
    public static SysfsGidTable of(String deviceName) {
        return of(Path.of("/sys"), deviceName);
    }

    /// Returns the tables of a device of a recorded or artificial system.
    ///
    /// @param sys the directory of sysfs
    static SysfsGidTable of(Path sys, String deviceName) {
        return new SysfsGidTable(sys, deviceName);
    }

    /// Returns the valid entries of all ports.
    ///
    /// @throws VerbsException with `ENODEV` if the device does not exist
    public List<GidEntry> entries() {
        var entries = new ArrayList<GidEntry>();
        for (String port : ports("query GID table")) {
            for (String index : Sysfs.names(ports.resolve(port).resolve("gids"))) {
                GidEntry entry = read(port, index);
                if (entry != null) {
                    entries.add(entry);
                }
            }
        }
        return List.copyOf(entries);
    }

    /// Returns one entry.
    ///
    /// @throws VerbsException as from the kernel's command: with `EINVAL` if the slot does not exist, with `ENODATA` if
    ///     it is empty
    public GidEntry entry(int port, int index) {
        String operation = "query GID entry";
        String slot = Integer.toString(index);
        String portName = Integer.toString(port);
        if (!ports(operation).contains(portName)
                || Sysfs.text(ports.resolve(portName).resolve("gids").resolve(slot)) == null) {
            throw new VerbsException(operation, Errno.EINVAL, "no slot " + index + " of port " + port);
        }
        GidEntry entry = read(portName, slot);
        if (entry == null) {
            throw new VerbsException(operation, Errno.ENODATA, "slot " + index + " of port " + port + " is empty");
        }
        return entry;
    }

    private List<String> ports(String operation) {
        List<String> names = Sysfs.names(ports);
        if (names.isEmpty()) {
            throw KernelErrors.failure(operation, Errno.ENODEV, ports + " is not there");
        }
        return names;
    }

    private @Nullable GidEntry read(String port, String index) {
        Path attributes = ports.resolve(port).resolve("gid_attrs");
        String gid = Sysfs.text(ports.resolve(port).resolve("gids").resolve(index));
        String type = Sysfs.text(attributes.resolve("types").resolve(index));
        if (gid == null || type == null || !isNumber(port) || !isNumber(index)) {
            return null;
        }
        Gid value = parse(gid);
        if (value == null || value.isZero()) {
            return null;
        }
        String netdev = Sysfs.text(attributes.resolve("ndevs").resolve(index));
        return new GidEntry(
                value,
                Integer.parseInt(index),
                Integer.parseInt(port),
                gidType(port, type),
                netdev == null ? 0 : Sysfs.number(sys.resolve("class/net").resolve(netdev).resolve("ifindex"), 0));
    }

    /// Returns whether a file name is a slot number; other files are ignored.
    private static boolean isNumber(String name) {
        return name.length() < 10 && !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static @Nullable Gid parse(String text) {
        try {
            return Gid.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Distinguishes InfiniBand from RoCE v1 by the port's link layer: sysfs has one text for both.
    private GidType gidType(String port, String text) {
        if (text.equals("RoCE v2")) {
            return GidType.ROCE_V2;
        }
        String linkLayer = Sysfs.text(ports.resolve(port).resolve("link_layer"), "");
        return linkLayer.equals("InfiniBand") ? GidType.IB : GidType.ROCE_V1;
    }
}
