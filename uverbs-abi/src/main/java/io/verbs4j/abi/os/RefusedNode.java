// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Explains why a device node cannot be opened. The remedy differs in a container: there, sysfs shows the host's
/// devices, so it lists the device whose node is missing.
final class RefusedNode {
    /// `S_IFMT` and `S_IFCHR` of stat(2).
    private static final int FILE_TYPE_MASK = 0xf000;

    private static final int CHARACTER_DEVICE = 0x2000;

    private RefusedNode() {}

    /// Returns why a path is no node of the device that sysfs lists by its name: it is no character device, or another
    /// one, which would take commands for something else. Empty if it is one, or missing or inaccessible, which opening
    /// it reports better.
    ///
    /// @param root holds `sys`
    static String wrongKind(Path root, Path node) {
        long number;
        try {
            if (((int) Files.getAttribute(node, "unix:mode") & FILE_TYPE_MASK) != CHARACTER_DEVICE) {
                return node + " is not a character device";
            }
            number = (long) Files.getAttribute(node, "unix:rdev");
        } catch (IOException e) {
            return "";
        }
        String name = String.valueOf(node.getFileName());
        String own = (number >>> 8 & 0xfff) + ":" + ((number & 0xff) | (number >>> 12 & 0xffffff00L));
        String listed = listedNumber(root, name);
        return listed.isEmpty() || listed.equals(own)
                ? ""
                : node + " is not the device that sysfs lists, but another one (" + own + " instead of " + listed
                        + "): let udev make it anew (udevadm trigger), or start the container with --device=" + node;
    }

    /// @return as in `231:192`; empty if sysfs does not list it
    private static String listedNumber(Path root, String name) {
        String folder = name.startsWith("uverbs") ? "sys/class/infiniband_verbs" : "sys/class/misc";
        try {
            return Files.readString(root.resolve(folder).resolve(name).resolve("dev")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /// @param root holds `sys`
    /// @param node such as `/dev/infiniband/uverbs0`
    /// @param errno why it could not be opened, positive
    static String explain(Path root, Path node, int errno) {
        String name = String.valueOf(node.getFileName());
        String option = "--device=" + node;
        if (errno == Errno.ENOENT && isListed(root, name)) {
            return "there is no such node, although the kernel has the device: start the container with " + option
                    + ", or without a container let udev create it (udevadm trigger)";
        }
        // access(2) obeys permissions and device rules (inode_permission, fs/namei.c), not the driver and the mount.
        boolean accessible = Files.isReadable(node) && Files.isWritable(node);
        if (errno == Errno.EPERM && !accessible) {
            return "device rules of the process's control group, such as a container's, forbid the node; start the"
                    + " container with " + option;
        }
        if (errno == Errno.EPERM) {
            String namespace = "the device belongs to another network namespace; start the program there, such as a"
                    + " container with --network=host";
            String filter = GeneralCauses.ofFile(errno);
            return filter.isEmpty() ? namespace : filter + ", or " + namespace;
        }
        if (errno == Errno.EACCES && accessible) {
            return "the permissions of the node are sufficient, but its file system is mounted with nodev (mount -o"
                    + " remount,dev " + node.getParent() + ")";
        }
        if (errno == Errno.ENOENT && name.equals("rdma_cm")) {
            return "there is no such node; load the connection manager (modprobe rdma_ucm)";
        }
        return SystemOperation.OPEN_DEVICE.explain(errno);
    }

    private static boolean isListed(Path root, String name) {
        return Files.exists(root.resolve("sys/class/infiniband_verbs").resolve(name))
                || Files.exists(root.resolve("sys/class/misc").resolve(name));
    }
}
