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

    /// Runs all steps, from the head on. Steps that fail remain, in the same order. Allocates nothing if none fails.
    ///
    /// @throws RuntimeException the first failure, with the others suppressed
    public static <T extends Runnable> void drain(Queue<T> steps) {
        Throwable first = null;
        for (int left = steps.size(); left > 0 && !steps.isEmpty(); left--) {
            T step = steps.remove();
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                steps.add(step);
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

    /// Runs all steps after a failure, as [#drain] does. A step that fails adds a suppressed exception to `failure`.
    public static void drainAfter(Throwable failure, Queue<? extends Runnable> steps) {
        try {
            drain(steps);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }
}
