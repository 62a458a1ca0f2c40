// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.host.Host;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.Optional;

/// Finds the device of an identifier.
final class CmDevices {
    private CmDevices() {}

    /// Returns the device with the node GUID. If several devices have this GUID, as in cloned virtual machines, returns
    /// the device whose index the kernel reports.
    static Optional<Device> find(ConnectionAddresses addresses) {
        if (addresses.nodeGuid() == 0) {
            return Optional.empty();
        }
        List<Device> sameGuid = Devices.list()
                .stream()
                .filter(device -> device.nodeGuid() == addresses.nodeGuid())
                .toList();
        if (sameGuid.size() == 1) {
            return Optional.of(sameGuid.getFirst());
        }
        return sameGuid.stream()
                .filter(device -> device.index().isPresent() && device.index().getAsInt() == addresses.deviceIndex())
                .findFirst();
    }

    /// Returns the failure of an identifier whose device is not visible to this process.
    static VerbsException invisible(Identifier identifier) {
        return KernelErrors.failure(
                "find the RDMA device of " + identifier,
                Errno.ENODEV,
                Devices.list().isEmpty()
                        ? Host.current().absence().toString()
                        : "the address belongs to an RDMA device that is not visible here; containers need its sysfs folder and"
                                + " /dev/infiniband/uverbsN");
    }

    /// Returns whether the device uses iWARP. Over iWARP, the kernel moves queue pairs from INIT to RTS.
    static boolean isIwarp(Device device) {
        return device.nodeType().equals(NodeType.RNIC);
    }
}
