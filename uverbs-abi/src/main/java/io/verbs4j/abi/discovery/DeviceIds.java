// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The part of a device's description that is only in RDMA netlink: two of the kernel's numbers.
///
/// @param deviceIndex the device's number, which a renaming does not change; -1 if unknown
/// @param driverId the driver's number ([RdmaDriver])
record DeviceIds(int deviceIndex, int driverId) {
    /// The ids of a device that is unknown to netlink.
    static final DeviceIds UNKNOWN = new DeviceIds(-1, RdmaDriver.UNKNOWN);

    /// The kernel has no RDMA netlink, or does not allow it to this process.
    private static final Set<Integer> UNAVAILABLE = Set.of(
            Errno.EPERM, Errno.EACCES, Errno.EPROTONOSUPPORT, Errno.EAFNOSUPPORT, Errno.EOPNOTSUPP, Errno.ECONNREFUSED,
            Errno.ENOSYS);
    /// The device has no uverbs node, or was removed since it was listed.
    private static final Set<Integer> NO_NODE =
            Set.of(Errno.ENODEV, Errno.ENOENT, Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENODATA);

    /// Returns the ids of this machine's devices, by the names of their character devices; empty if netlink is not
    /// available, as in some containers.
    ///
    /// @param only name of one device, or null for all
    /// @throws VerbsException if netlink fails for another reason, such as a lack of file descriptors
    static Map<String, DeviceIds> byUverbsName(@Nullable String only) {
        return byUverbsName(only, RdmaNetlink::open);
    }

    /// Returns the ids of the devices that a source of netlink sockets reports.
    static Map<String, DeviceIds> byUverbsName(@Nullable String only, Supplier<RdmaNetlink> sockets) {
        var numbers = new HashMap<String, DeviceIds>();
        try (RdmaNetlink netlink = sockets.get()) {
            for (RdmaSubsystem.Device device : netlink.devices()) {
                if (only == null || only.equals(device.name())) {
                    add(netlink, device, numbers);
                }
            }
        } catch (VerbsException e) {
            if (!UNAVAILABLE.contains(e.errno())) {
                throw e;
            }
        } catch (UnsupportedOperationException e) {
            return numbers;
        }
        return numbers;
    }

    private static void add(RdmaNetlink netlink, RdmaSubsystem.Device device, Map<String, DeviceIds> numbers) {
        try {
            RdmaNetlink.CharacterDevice node = netlink.uverbs(device.index());
            numbers.put(node.name(), new DeviceIds(device.index(), node.driverId()));
        } catch (VerbsException e) {
            if (!NO_NODE.contains(e.errno())) {
                throw e;
            }
        }
    }
}
