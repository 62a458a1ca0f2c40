// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;

/// Runs steps, usually closes, to the end even if a step fails.
public final class Closing {
    private Closing() {}

    /// Runs all steps.
    ///
    /// @throws RuntimeException the first failure, with the others suppressed
    public static void all(Runnable... steps) {
        all(List.of(steps));
    }

    /// Runs all steps.
    ///
    /// @throws RuntimeException the first failure, with the others suppressed
    public static void all(Collection<? extends Runnable> steps) {
        drain(new ArrayDeque<>(steps));
    }

    /// Removes all steps and runs them, from the head on. Allocates nothing if none fails.
    ///
    /// @throws RuntimeException the first failure, with the others suppressed
    public static void drain(Queue<? extends Runnable> steps) {
        Throwable first = null;
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof RuntimeException e) {
            throw e;
        }
        if (first instanceof Error e) {
            throw e;
        }
    }

    /// Runs all steps after a failure. A step that fails adds a suppressed exception to `failure`.
    public static void allAfter(Throwable failure, Runnable... steps) {
        drainAfter(failure, new ArrayDeque<>(List.of(steps)));
    }

    /// Removes all steps and runs them after a failure. A step that fails adds a suppressed exception to `failure`.
    /// Allocates nothing if no step fails.
    public static void drainAfter(Throwable failure, Queue<? extends Runnable> steps) {
        try {
            drain(steps);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }
}
