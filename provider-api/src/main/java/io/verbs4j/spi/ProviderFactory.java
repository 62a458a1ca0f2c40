// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverAbi;

/// The factory of a driver's provider, found by `java.util.ServiceLoader`. As in rdma-core, the kernel's driver number
/// and ABI version determine the factory, never the device's name. Factories are looked up once per process: one
/// factory serves all devices and threads. Thread-safe.
public interface ProviderFactory {
    /// Returns the provider's name for users, such as `rxe`.
    String name();

    /// Returns the kernel's number for the driver (`enum rdma_driver_id`, include/uapi/rdma/ib_user_ioctl_verbs.h).
    int driverId();

    /// Returns the lowest driver ABI version that the provider supports (sysfs `abi_version` of the uverbs device).
    int minimumAbiVersion();

    /// Returns the highest driver ABI version that the provider supports.
    int maximumAbiVersion();

    /// Returns whether the provider is experimental: never tested with a real device. Tools report this.
    default boolean isExperimental() {
        return false;
    }

    /// Returns the driver's additions to the ABI, for tracing and for checks against a running kernel.
    default DriverAbi abi() {
        return DriverAbi.NONE;
    }

    /// Creates a context in the kernel and returns the provider's side of it. On failure, the caller closes the
    /// channel; the provider has released everything else.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    ProviderContext open(CommandChannel channel);

    /// Creates a context whose rings have a listener. By default, calls [#open(CommandChannel)] and ignores the
    /// listener.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    default ProviderContext open(CommandChannel channel, RingListener rings) {
        return open(channel);
    }
}
