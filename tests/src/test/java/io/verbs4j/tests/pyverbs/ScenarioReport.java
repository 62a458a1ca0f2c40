// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/// Writes the outcome of each [Scenario] to `scenarios.tsv` in the folder of results: scenario, outcome, test. The outcome is
/// `passed`, `refused` if the test saw that the kernel lacks what the scenario needs (the suite skips then), or `failed`.
final class ScenarioReport implements TestWatcher {
    private static final AtomicReference<@Nullable String> REFUSAL = new AtomicReference<>();

    /// For a running test: this kernel lacks what the scenario needs, which the test has just seen.
    static void refused(String why) {
        REFUSAL.set(why);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        write(context, REFUSAL.getAndSet(null) == null ? "passed" : "refused");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        REFUSAL.set(null);
        write(context, "failed");
    }

    private static void write(ExtensionContext context, String outcome) {
        var folder = System.getenv("LAB_RESULTS");
        var scenario = context.getRequiredTestMethod().getAnnotation(Scenario.class);
        if (folder == null || scenario == null) {
            return;
        }
        String test = context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
        var lines = new StringBuilder();
        for (String name : scenario.value()) {
            lines.append(name + "\t" + outcome + "\t" + test + "\n");
        }
        try {
            Files.writeString(
                    Path.of(folder, "scenarios.tsv"), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
