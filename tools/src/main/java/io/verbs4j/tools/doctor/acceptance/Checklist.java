// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/// Runs checks one by one, and collects their rows. A failed check does not prevent the next one.
final class Checklist {
    /// The body of a check.
    @FunctionalInterface
    interface Check {
        /// Runs the check.
        ///
        /// @return the observation; may be empty
        String run() throws Exception;
    }

    private final List<Row> rows = new ArrayList<>();
    private final Consumer<Row> shown;
    private Runnable afterFailure = () -> {};

    /// @param shown receives each row
    Checklist(Consumer<Row> shown) {
        this.shown = shown;
    }

    /// Sets an action that runs after a failed check, so that the next check starts in a clean state.
    void afterFailure(Runnable cleaning) {
        afterFailure = cleaning;
    }

    /// Runs a check of a required feature.
    void check(String name, Check body) {
        run(name, body, false);
    }

    /// Runs a check of an optional feature. If the driver reports that it is not supported, the check is left out.
    void optional(String name, Check body) {
        run(name, body, true);
    }

    /// Runs a check of a feature that the driver announces. It is required if announced, otherwise left out.
    void check(String name, Bench bench, Feature feature, Check body) {
        run(
                name,
                () -> {
                    if (!bench.context().supports(feature)) {
                        throw new LeftOutException("the driver does not announce " + feature);
                    }
                    return body.run();
                },
                false);
    }

    private void run(String name, Check body, boolean mayRefuse) {
        long start = System.nanoTime();
        try {
            add(name, Outcome.PASSED, start, 0, body.run());
        } catch (LeftOutException e) {
            add(name, Outcome.LEFT_OUT, start, 0, String.valueOf(e.getMessage()));
        } catch (NotSupportedException e) {
            add(name, mayRefuse ? Outcome.LEFT_OUT : Outcome.FAILED, start, e.errno(),
                    "the driver reports: " + e.getMessage());
        } catch (Exception e) {
            failed(name, start, e);
        }
    }

    private void failed(String name, long start, Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        add(name, Outcome.FAILED, start, cause instanceof VerbsException verbs ? verbs.errno() : 0, message);
        try {
            afterFailure.run();
        } catch (RuntimeException another) {
            add(name + ", cleanup", Outcome.FAILED, start, errno(another), String.valueOf(another.getMessage()));
        }
    }

    private static int errno(RuntimeException e) {
        return e instanceof VerbsException verbs ? verbs.errno() : 0;
    }

    private void add(String name, Outcome outcome, long start, int errno, String note) {
        var row = new Row(name, outcome, (System.nanoTime() - start) / 1000, errno, note.replace('\n', ' '));
        rows.add(row);
        shown.accept(row);
    }

    /// Returns the number of checks with an outcome.
    long count(Outcome outcome) {
        return rows.stream().filter(row -> row.outcome() == outcome).count();
    }
}
