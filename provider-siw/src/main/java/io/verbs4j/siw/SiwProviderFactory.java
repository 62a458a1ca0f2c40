// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderFactory;

/// The provider for the kernel's `siw` driver.
public final class SiwProviderFactory implements ProviderFactory {
    static final String NAME = "siw";

    /// `SIW_ABI_VERSION` (siw-abi.h).
    private static final int ABI_VERSION = 1;

    /// For `java.util.ServiceLoader`.
    public SiwProviderFactory() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int driverId() {
        return RdmaDriver.SIW;
    }

    @Override
    public int minimumAbiVersion() {
        return ABI_VERSION;
    }

    @Override
    public int maximumAbiVersion() {
        return ABI_VERSION;
    }

    @Override
    public DriverAbi abi() {
        return SiwStructs.ABI;
    }

    @Override
    public ProviderContext open(CommandChannel channel) {
        return SiwContext.open(channel);
    }
}
