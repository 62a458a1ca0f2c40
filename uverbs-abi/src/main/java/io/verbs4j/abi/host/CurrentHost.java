// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Chooses the machine once. A failed choice is repeated.
final class CurrentHost {
    private static volatile @Nullable Host chosen;
    private static boolean replaced; // guarded by the class

    private CurrentHost() {}

    static Host get() {
        Host host = chosen;
        return host == null ? choose() : host;
    }

    private static synchronized Host choose() {
        Host host = chosen;
        if (host == null) {
            host = choose(System.getProperty(HostFactory.PROPERTY));
            chosen = host;
        }
        return host;
    }

    /// Replaces the machine until the result is closed.
    static synchronized Host.Replacement replace(Host host) {
        if (replaced) {
            throw new IllegalStateException(
                    "the current machine is already replaced; tests that replace it must not run at the same time");
        }
        Host former = chosen;
        replaced = true;
        chosen = host;
        var open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                restore(former);
            }
        };
    }

    private static synchronized void restore(@Nullable Host former) {
        chosen = former;
        replaced = false;
    }

    /// @param value the property's value; null if it is not set
    static Host choose(@Nullable String value) {
        if (value == null) {
            return new LinuxHost();
        }
        return ServiceLoader.load(HostFactory.class, CurrentHost.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(HostFactory.PROPERTY + "=" + value
                        + " requests simulated devices, but no simulator was found; put verbs4j-simulator on the class"
                        + " path or module path"))
                .host(value);
    }
}
