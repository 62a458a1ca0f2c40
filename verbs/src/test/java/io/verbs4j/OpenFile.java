// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.DeviceListener;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.tracing.Tracing;
import io.verbs4j.types.NodeType;
import java.nio.file.Path;
import java.util.ServiceLoader;

/// Opens the API over something that is no device file of this machine.
public final class OpenFile {
    private static final int RXE_ABI = 2;

    private OpenFile() {}

    /// A context of rxe's provider.
    public static Context asRxe(DeviceFile file) {
        return as(file, RdmaDriver.RXE, RXE_ABI, Transport.NATIVE_IOCTL);
    }

    /// Opens a context of a driver's provider.
    ///
    /// @param driver the kernel's number of the driver
    /// @param abi version of the driver's ABI
    public static Context as(DeviceFile file, int driver, int abi, Transport transport) {
        UverbsDevice node = node(driver, abi);
        ProviderFactory provider = ServiceLoader.load(ProviderFactory.class)
                .stream()
                .map(ServiceLoader.Provider::get)
                .filter(factory -> factory.driverId() == driver)
                .findFirst()
                .orElseThrow();
        var channel = CommandChannel.open(file, driver, node.name(), abi, transport);
        return Context.of(
                new Device(node),
                Tracing.listener(node.name(), provider.abi())
                        .flatMap(DeviceListener::rings)
                        .map(rings -> provider.open(channel, rings))
                        .orElseGet(() -> provider.open(channel)));
    }

    /// A device of a driver that this machine need not have.
    public static Device device(int driver, int abi) {
        return new Device(node(driver, abi));
    }

    private static UverbsDevice node(int driver, int abi) {
        return new UverbsDevice(
                "none", 0, "none", Path.of("/dev/null"), 0, 0, driver, abi, 6, NodeType.CA, 0, 0, null, "", 1);
    }
}
