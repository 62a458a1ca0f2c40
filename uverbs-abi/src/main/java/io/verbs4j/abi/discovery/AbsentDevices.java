// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.sysfs.Sysfs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Determines why a machine has no visible RDMA device. API and tools report the same reason.
final class AbsentDevices {
    private static final String LINUX = "Linux";
    private static final String MOUNT_SYSFS =
            "mount it (mount -t sysfs sysfs /sys), or start the container with the host's (--volume=/sys:/sys:ro)";

    private AbsentDevices() {}

    /// @param root holds `sys`, `dev` and `run`
    /// @param system name of the operating system, as the system property `os.name` has it
    /// @param shownByNetlink whether netlink shows devices to this process
    static Absence explain(Path root, String system, BooleanSupplier shownByNetlink) {
        if (!system.equals(LINUX)) {
            return new Absence(
                    "RDMA devices require Linux, but this is " + system,
                    "run it in a Linux virtual machine, or on simulated devices (put verbs4j-simulator on the class"
                            + " path and start with -Dverbs4j.simulate=2)");
        }
        if (!Files.isDirectory(root.resolve("sys/class"))) {
            return new Absence(
                    "sysfs, which lists the devices, is not mounted at /sys",
                    MOUNT_SYSFS);
        }
        if (shownByNetlink.getAsBoolean()) {
            return new Absence(
                    "the kernel shows its devices by netlink, but sysfs hides them: /sys/class/infiniband or"
                            + " /sys/class/infiniband_verbs lists none",
                    MOUNT_SYSFS);
        }
        List<String> listed = uverbs(root.resolve("sys/class/infiniband_verbs"));
        if (!listed.isEmpty()) {
            return new Absence(
                    "the device of " + listed.getFirst() + " belongs to another network namespace",
                    "move it here (rdma dev set NAME netns PID), or start the container in the host's"
                            + " (--network=host)");
        }
        List<String> nodes = uverbs(root.resolve("dev/infiniband"));
        if (!nodes.isEmpty()) {
            return new Absence(
                    "/dev/infiniband/" + nodes.getFirst()
                            + " exists, but /sys/class/infiniband_verbs lists no device: it was removed, or the"
                            + " container hides the host's sysfs",
                    "start the container with --volume=/sys:/sys:ro");
        }
        return new Absence(
                "this machine has no RDMA device",
                "create one with 'modprobe rdma_rxe' and 'rdma link add rxe0 type rxe netdev <interface>', or with"
                        + " 'verbs link add rxe0 --netdev <interface>'"
                        + (isContainer(root) ? ", on the host, outside of this container" : "")
                        + "; or simulate two (-Dverbs4j.simulate=2, 'verbs --simulate 2 COMMAND'), or boot a guest"
                        + " that has two ('tools/lab shell')");
    }

    private static List<String> uverbs(Path folder) {
        return Sysfs.names(folder).stream().filter(name -> name.startsWith("uverbs")).toList();
    }

    /// Docker, Podman and systemd-nspawn leave these files in their containers.
    private static boolean isContainer(Path root) {
        return Files.exists(root.resolve(".dockerenv"))
                || Files.exists(root.resolve("run/.containerenv"))
                || Files.exists(root.resolve("run/systemd/container"));
    }
}
