// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.rxe.RxeProviderFactory;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.nio.file.Path;
import java.util.List;

/// Opens devices behind whose file something of the test's own stands.
public final class InjectedDevices {
    /// A device of which the driver and its ABI decide; names and numbers only show in texts.
    private static final UverbsDevice DEVICE = new UverbsDevice(
            "rxe0",
            0,
            "uverbs0",
            Path.of("/dev/null"),
            231,
            192,
            RdmaDriver.RXE,
            2,
            6,
            NodeType.CA,
            1,
            1,
            "veth0",
            "",
            1);

    private InjectedDevices() {}

    /// Opens the rxe device behind a file.
    public static Context open(DeviceFile file) {
        return open(new Device(DEVICE), file);
    }

    /// Opens an rxe device behind a file.
    public static Context open(Device device, DeviceFile file) {
        return device.open(file, new RxeProviderFactory());
    }

    /// Moves a queue pair without a peer to RTS.
    ///
    /// @return the queue pair
    static QueuePair ready(QueuePair queuePair) {
        for (QueuePairState state : List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS)) {
            queuePair.modify(QueuePairAttributes.builder().state(state).build());
        }
        return queuePair;
    }

    /// Opens a device of this machine, by its own provider, behind a file.
    public static Context open(String name, DeviceFile file) {
        Device device = Devices.find(name);
        return device.open(file, Providers.find(device.driverId(), device.driverAbiVersion()).orElseThrow());
    }
}
