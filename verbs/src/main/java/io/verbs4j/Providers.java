// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Finds the providers of this process, on its class path or module path.
///
/// The search runs once, since it reads every archive of the class path. A failed search is repeated.
final class Providers {
    private static volatile @Nullable List<ProviderFactory> known;

    private Providers() {}

    /// Returns all providers.
    static List<ProviderFactory> all() {
        List<ProviderFactory> found = known;
        if (found == null) {
            var search = new ArrayList<ProviderFactory>();
            ServiceLoader.load(ProviderFactory.class, Providers.class.getClassLoader()).forEach(search::add);
            found = List.copyOf(search);
            known = found;
        }
        return found;
    }

    /// Returns the provider that drives a device.
    ///
    /// @param driverId the kernel's number for the driver
    /// @param abiVersion version of the driver's own ABI
    static Optional<ProviderFactory> find(int driverId, int abiVersion) {
        for (ProviderFactory provider : all()) {
            if (provider.driverId() == driverId
                    && provider.minimumAbiVersion() <= abiVersion
                    && abiVersion <= provider.maximumAbiVersion()) {
                return Optional.of(provider);
            }
        }
        return Optional.empty();
    }
}
