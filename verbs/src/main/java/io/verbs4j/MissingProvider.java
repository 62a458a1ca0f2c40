// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Explains why no provider drives a device. Either the provider's artifact is missing, or the provider supports other
/// versions of the driver's ABI, or verbs4j has no provider for the driver.
final class MissingProvider {
    /// Drivers for which the project has an artifact, `verbs4j-provider-NAME`.
    private static final List<String> PUBLISHED = List.of("rxe", "siw", "mlx5");

    private MissingProvider() {}

    static NotSupportedException of(UverbsDevice device) {
        return new NotSupportedException(
                "open " + device.name(),
                Errno.EOPNOTSUPP,
                explain(device.driverId(), device.driverAbiVersion(), Providers.all()));
    }

    /// @param providers the providers that were found
    static String explain(int driverId, int abiVersion, List<ProviderFactory> providers) {
        if (driverId == RdmaDriver.UNKNOWN) {
            return "the kernel does not report its driver: RDMA netlink is not available here, as in containers with a"
                    + " network namespace of their own; run the container with --network=host";
        }
        String driver = RdmaDriver.name(driverId).toLowerCase(Locale.ROOT);
        for (ProviderFactory provider : providers) {
            if (provider.driverId() == driverId) {
                return "the kernel's driver " + driver + " has ABI " + abiVersion + ", but the provider "
                        + provider.name()
                        + " supports " + provider.minimumAbiVersion() + " to " + provider.maximumAbiVersion();
            }
        }
        return PUBLISHED.contains(driver)
                ? "its driver " + driver + " needs the artifact io.verbs4j:verbs4j-provider-" + driver
                        + " on the class path or module path"
                : "no provider drives " + driver + "; verbs4j has " + String.join(", ", PUBLISHED) + "; found here: "
                        + (providers.isEmpty()
                                ? "none"
                                : providers.stream().map(ProviderFactory::name).collect(Collectors.joining(", ")));
    }
}
