// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import java.nio.file.Files;
import java.nio.file.Path;

/// Explains why a device node cannot be opened. The remedy differs in a container. sysfs shows the host's devices
/// there, so it lists the device whose node is missing.
final class RefusedNode {
    private RefusedNode() {}

    /// @param root holds `sys`
    /// @param node such as `/dev/infiniband/uverbs0`
    /// @param errno why it could not be opened, positive
    static String explain(Path root, Path node, int errno) {
        String name = String.valueOf(node.getFileName());
        String option = "--device=" + node + " --ulimit memlock=-1";
        if (errno == Errno.ENOENT && isListed(root, name)) {
            return "there is no such node, although the kernel has the device: start the container with " + option
                    + ", or outside of one let udev make it (udevadm trigger)";
        }
        if (errno == Errno.EPERM) {
            return SystemOperation.OPEN_DEVICE.explain(errno) + "; start the container with " + option
                    + ", in the namespace of the device";
        }
        if (errno == Errno.EACCES && Files.isReadable(node) && Files.isWritable(node)) {
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
