// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.types.NodeType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// An RDMA device with a uverbs node, as of the time when it was read.
///
/// @param name name of the RDMA device, such as `rxe0`
/// @param index the kernel's index, which survives renaming; -1 if netlink is not available
/// @param uverbsName name of its character device, such as `uverbs0`
/// @param node path to open
/// @param major major number of the character device
/// @param minor minor number of the character device
/// @param driverId the driver ([io.verbs4j.abi.uapi.RdmaDriver]), 0 if unknown
/// @param driverAbiVersion version of the driver's own ABI
/// @param coreAbiVersion version of the uverbs core's ABI
/// @param nodeType kind of device
/// @param nodeGuid its GUID, read as a big-endian number
/// @param systemImageGuid GUID of the system that contains it, likewise
/// @param networkInterface name of the network interface below a software device, null if there is none
/// @param firmwareVersion firmware version reported by the driver; empty on rxe
/// @param ports number of ports
public record UverbsDevice(
        String name,
        int index,
        String uverbsName,
        Path node,
        int major,
        int minor,
        int driverId,
        int driverAbiVersion,
        int coreAbiVersion,
        NodeType nodeType,
        long nodeGuid,
        long systemImageGuid,
        @Nullable String networkInterface,
        String firmwareVersion,
        int ports) {}
