// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits that end.
public final class Eventually {
    /// Longer than anything takes on a busy machine without hardware virtualization.
    public static final Duration LIMIT = Duration.ofSeconds(10);

    private Eventually() {}

    /// Returns as soon as `condition` holds.
    ///
    /// @param state what to say if it never does
    public static void until(BooleanSupplier condition, Supplier<String> state) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("nothing came within " + LIMIT.toSeconds() + " s: " + state.get());
            }
            Thread.yield(); // the kernel's half of the work needs a processor too
        }
    }
}
