// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The files that describe the system. Tests provide their own.
///
/// @param root contains `sys`, `proc` and `lib`
record SystemFiles(Path root) {
    private static final String DEVICES = "sys/class/infiniband";

    static final SystemFiles RUNNING = new SystemFiles(Path.of("/"));

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /// Returns the names in a folder; none if it cannot be read.
    List<String> names(String folder) {
        try (var entries = Files.list(root.resolve(folder))) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /// Returns whether the kernel's modules are visible. They are not if sysfs is hidden, as in some containers.
    boolean showsModules() {
        return exists("sys/class");
    }

    /// Returns whether the kernel has RDMA devices.
    boolean hasDevices() {
        return !names(DEVICES).isEmpty();
    }

    /// Returns whether the kernel has a module, loaded or built in. A built-in module is detected by the files that it
    /// creates.
    boolean hasModule(String name) {
        return exists("sys/module/" + name) || isLoaded(name) || switch (name) {
            case "ib_uverbs" -> exists("sys/class/infiniband_verbs");
            case "rdma_ucm" -> exists("sys/class/misc/rdma_cm");
            // Only devices of rxe name their network interface.
            case "rdma_rxe" ->
                names(DEVICES).stream().anyMatch(device -> exists(DEVICES + "/" + device + "/parent"));
            default -> false;
        };
    }

    /// Returns whether `/proc` lists a module as loaded. It does even if sysfs is hidden.
    private boolean isLoaded(String name) {
        return text("proc/modules").lines().anyMatch(line -> line.startsWith(name + " "));
    }

    /// Returns the contents without surrounding white space; empty if unreadable.
    String text(String path) {
        try {
            return Files.readString(root.resolve(path), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /// Returns the target of a link; empty if unreadable.
    String link(String path) {
        try {
            return Files.readSymbolicLink(root.resolve(path)).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
