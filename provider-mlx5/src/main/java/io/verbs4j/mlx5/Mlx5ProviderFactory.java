// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;

/// The experimental provider for the kernel's `mlx5_ib` driver.
public final class Mlx5ProviderFactory implements ProviderFactory {
    static final String NAME = "mlx5";

    /// `MLX5_IB_UVERBS_ABI_VERSION` (include/uapi/rdma/mlx5-abi.h).
    private static final int ABI_VERSION = 1;

    private static final String PROCESSOR = "amd64";

    /// For `java.util.ServiceLoader`.
    public Mlx5ProviderFactory() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int driverId() {
        return RdmaDriver.MLX5;
    }

    @Override
    public int minimumAbiVersion() {
        return ABI_VERSION;
    }

    @Override
    public int maximumAbiVersion() {
        return ABI_VERSION;
    }

    /// Returns true: the provider has not been run on a card.
    @Override
    public boolean isExperimental() {
        return true;
    }

    @Override
    public DriverAbi abi() {
        return Mlx5Structs.ABI;
    }

    @Override
    public ProviderContext open(CommandChannel channel) {
        requireProcessor(System.getProperty("os.arch", ""));
        return Mlx5Context.open(channel);
    }

    /// Doorbells need an order of stores that Java guarantees on x86-64 only.
    static void requireProcessor(String processor) {
        if (!processor.equals(PROCESSOR)) {
            throw new NotSupportedException(
                    "open mlx5 device",
                    Errno.EOPNOTSUPP,
                    "processor=" + processor + ": the mlx5 provider works on x86-64 only, because Java has no barrier"
                            + " between memory and a device's registers elsewhere; use libibverbs there");
        }
    }
}
