// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.os.Platform;
import io.verbs4j.spi.DeviceListener;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.spi.RingListener;
import io.verbs4j.types.NodeType;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Describes an RDMA device of this machine, as of the time when the devices were listed. [#open()] opens the device.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html">ibv_get_device_list(3)</a>
public final class Device {
    private final UverbsDevice device;
    private final @Nullable Host host;

    Device(UverbsDevice device) {
        this(null, device);
    }

    /// @param host the machine that has the device; null for the process's own
    Device(@Nullable Host host, UverbsDevice device) {
        this.host = host;
        this.device = device;
    }

    /// Returns the device's name, such as `rxe0`.
    public String name() {
        return device.name();
    }

    /// Returns the kernel's number for the device, which stays the same if the device is renamed. Empty if RDMA netlink
    /// is not available, as in some containers.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_device_index.3.html">ibv_get_device_index(3)</a>
    public OptionalInt index() {
        return device.index() < 0 ? OptionalInt.empty() : OptionalInt.of(device.index());
    }

    /// Returns the name of the character device, such as `uverbs0`.
    public String uverbsName() {
        return device.uverbsName();
    }

    /// Returns the device node that [#open()] opens.
    public Path node() {
        return device.node();
    }

    /// Returns the kind of device.
    public NodeType nodeType() {
        return device.nodeType();
    }

    /// Returns the device's GUID. The highest byte of the number is the first byte of the GUID.
    public long nodeGuid() {
        return device.nodeGuid();
    }

    /// Returns the GUID of the system that contains the device, in the form of [#nodeGuid()].
    public long systemImageGuid() {
        return device.systemImageGuid();
    }

    /// Returns the firmware version reported by the driver; empty if it reports none.
    public String firmwareVersion() {
        return device.firmwareVersion();
    }

    /// Returns the number of ports.
    public int ports() {
        return device.ports();
    }

    /// Returns the name of the network interface that a software device uses; empty if the device uses none.
    public Optional<String> networkInterface() {
        return Optional.ofNullable(device.networkInterface());
    }

    /// Returns the kernel's number for the driver; 0 if unknown.
    public int driverId() {
        return device.driverId();
    }

    /// Returns the version of the driver's own ABI.
    public int driverAbiVersion() {
        return device.driverAbiVersion();
    }

    /// Returns the name of the provider that would drive the device; empty if there is none.
    public Optional<String> providerName() {
        return findProvider().map(ProviderFactory::name);
    }

    /// Returns whether the provider is experimental: never tested with a real device. False if there is no provider.
    public boolean isExperimental() {
        return findProvider().map(ProviderFactory::isExperimental).orElse(false);
    }

    /// Opens the device.
    ///
    /// @throws io.verbs4j.types.VerbsException if the node cannot be opened, or the kernel refuses to create a context
    /// @throws io.verbs4j.types.NotSupportedException if no provider drives this device; the message names the required
    ///     artifact
    /// @throws IllegalStateException if the virtual machine does not allow native access; the message names the option
    ///     that allows it
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_open_device.3.html">ibv_open_device(3)</a>
    public Context open() {
        Platform.checkNativeAccess();
        ProviderFactory provider = findProvider().orElseThrow(() -> MissingProvider.of(device));
        DeviceListener listener = DeviceListeners.find(device.name(), provider.abi()).orElse(null);
        return open(host().open(device.node()), provider, listener);
    }

    /// Opens the device through a given file, such as a simulated device's.
    ///
    /// @param file closed if the opening fails, otherwise by the context
    Context open(DeviceFile file, ProviderFactory provider) {
        return open(file, provider, null);
    }

    /// Opens the device through a given file, with a listener.
    ///
    /// @param opened closed if the opening fails, otherwise by the context
    Context open(DeviceFile opened, ProviderFactory provider, @Nullable DeviceListener listener) {
        DeviceFile file = opened;
        try {
            if (listener != null) {
                file = listener.listen(opened);
            }
            var channel =
                    CommandChannel.open(
                            file, host, device.driverId(), device.name(), device.driverAbiVersion(),
                            QueryDevice.SPECIFICATION);
            RingListener rings = listener == null ? null : listener.rings().orElse(null);
            return Context.of(this, rings == null ? provider.open(channel) : provider.open(channel, rings));
        } catch (RuntimeException | Error e) {
            Closing.allAfter(e, file::close);
            throw e;
        }
    }

    /// Returns the machine that has the device.
    Host host() {
        Host known = host;
        return known == null ? Host.current() : known;
    }

    private Optional<ProviderFactory> findProvider() {
        return Providers.find(device.driverId(), device.driverAbiVersion());
    }

    @Override
    public String toString() {
        return device.name();
    }
}
