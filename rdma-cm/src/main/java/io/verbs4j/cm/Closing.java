// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Closes several things, the later ones also if an earlier one refuses.
final class Closing {
    private @Nullable RuntimeException first;

    /// Runs all steps.
    ///
    /// @throws RuntimeException the first that a step has thrown, with the others behind it
    static void all(Runnable... steps) {
        all(List.of(steps));
    }

    /// Runs all steps.
    ///
    /// @throws RuntimeException the first that a step has thrown, with the others behind it
    static void all(Iterable<Runnable> steps) {
        var closing = new Closing();
        steps.forEach(closing::run);
        closing.finish();
    }

    /// Runs all steps after a failure, which stays the one to report.
    static void allAfter(Throwable failure, Iterable<Runnable> steps) {
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /// Runs all steps after a failure, which stays the one to report.
    static void allAfter(Throwable failure, Runnable... steps) {
        allAfter(failure, List.of(steps));
    }

    private void run(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (first == null) {
                first = e;
            } else {
                first.addSuppressed(e);
            }
        }
    }

    private void finish() {
        if (first != null) {
            throw first;
        }
    }
}
