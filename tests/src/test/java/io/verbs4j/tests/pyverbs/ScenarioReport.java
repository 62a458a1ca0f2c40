// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import io.verbs4j.tests.support.ResultFile;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/// Writes the outcome of each [Scenario] to `scenarios.tsv` in the folder of results: scenario, outcome, test. The
/// outcome is `passed`, `failed`, or `refused` if the kernel lacks a feature of the scenario (the suite skips then).
final class ScenarioReport implements TestWatcher, AfterAllCallback {
    private static final ResultFile REPORT = new ResultFile("scenarios.tsv");
    private static final AtomicReference<@Nullable String> REFUSAL = new AtomicReference<>();

    /// For a running test: this kernel lacks what the scenario needs, which the test has just seen, as its name says.
    static void refused(String why) {
        REFUSAL.set(why);
    }

    /// Marks the running test as skipped, as in the suite, because the kernel lacks a feature that the scenario needs.
    static void skip(String why) {
        refused(why);
        Assumptions.abort("this kernel refuses: " + why);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        add(context, REFUSAL.getAndSet(null) == null ? "passed" : "refused");
    }

    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        if (REFUSAL.getAndSet(null) != null) {
            add(context, "refused");
        }
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        REFUSAL.set(null);
        add(context, "failed");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        REPORT.write();
    }

    private static void add(ExtensionContext context, String outcome) {
        var scenario = context.getRequiredTestMethod().getAnnotation(Scenario.class);
        if (scenario == null) {
            return;
        }
        String test = context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
        for (String name : scenario.value()) {
            REPORT.add(name, outcome, test);
        }
    }
}
