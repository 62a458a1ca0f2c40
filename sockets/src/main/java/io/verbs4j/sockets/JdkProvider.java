// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/// Finds the JDK's own provider, which creates everything that does not use RDMA.
final class JdkProvider {
    private static final String DEFAULT_PROVIDER = "sun.nio.ch.DefaultSelectorProvider";

    private static volatile @Nullable SelectorProvider provider;

    private JdkProvider() {}

    /// Returns the JDK's provider.
    ///
    /// @throws UnsupportedOperationException if the provider is not accessible
    static SelectorProvider get() {
        SelectorProvider known = provider;
        if (known == null) {
            known = find();
            provider = known;
        }
        return known;
    }

    private static SelectorProvider find() {
        try {
            return (SelectorProvider) Class.forName(DEFAULT_PROVIDER).getMethod("get").invoke(null);
        } catch (ReflectiveOperationException e) {
            SelectorProvider standard = SelectorProvider.provider();
            if (standard == null || standard instanceof RdmaSelectorProvider) {
                throw new UnsupportedOperationException(
                        "the JDK's own sockets are out of reach: start Java with"
                                + " --add-exports java.base/sun.nio.ch=ALL-UNNAMED, or with the agent of verbs4j-sockets",
                        e);
            }
            return standard;
        }
    }
}
