// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits that end.
public final class Eventually {
    /// Longer than anything takes in an emulated guest on an idle machine ([TimeoutScale]).
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long PAUSE_NANOS = 50_000;

    private Eventually() {}

    /// Waits until `condition` holds.
    ///
    /// @param state message if it never holds
    public static void until(BooleanSupplier condition, Supplier<String> state) {
        until(LIMIT, condition, state);
    }

    /// Waits until `condition` holds.
    ///
    /// @param limit the timeout
    /// @param state message if it never holds
    public static void until(Duration limit, BooleanSupplier condition, Supplier<String> state) {
        Duration scaled = TimeoutScale.scaled(limit);
        long deadline = System.nanoTime() + scaled.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("nothing came within " + scaled.toSeconds() + " s: " + state.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS); // the kernel's half of the work needs a processor too
        }
    }
}
