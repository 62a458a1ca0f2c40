// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.types.Errno;
import java.lang.reflect.AnnotatedElement;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/// Writes the outcome of each test for the functions that it [Covers] to `coverage.tsv` in the folder of results, from
/// which docs/verbs-coverage.md is generated: function, outcome, test. The outcome is `works`, `failed`, or `refused`
/// with the reason.
///
/// Also writes the outcome of each [Scenario] to `scenarios.tsv`, for docs/pyverbs-scenarios.md: scenario, `passed` or
/// `failed`.
public final class CoverageReport implements TestWatcher, AfterAllCallback {
    private record Refusal(String function, String reason) {}

    private static final ConcurrentLinkedQueue<Refusal> REFUSALS = new ConcurrentLinkedQueue<>();
    private static final ResultFile REPORT = new ResultFile("coverage.tsv");
    private static final ResultFile SCENARIOS = new ResultFile("scenarios.tsv");

    /// Records, for the running test, that this kernel refuses the function.
    ///
    /// @param function one of those that the test covers
    /// @param errno the kernel's error number: a constant of [Errno]
    /// @param why the cause, in a few words
    public static void refused(String function, int errno, String why) {
        REFUSALS.add(new Refusal(function, Errno.name(errno) + ": " + why));
    }

    /// For a running test: verbs4j itself refuses the function, because device or kernel lack it.
    public static void absent(String function, String why) {
        REFUSALS.add(new Refusal(function, why));
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        write(context, "works");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        write(context, "failed");
    }

    private static void write(ExtensionContext context, String outcome) {
        Set<String> functions = functions(context);
        String test = context.getRequiredTestClass().getName() + "#"
                + context.getRequiredTestMethod().getName();
        for (Refusal refusal; (refusal = REFUSALS.poll()) != null;) {
            if (!functions.remove(refusal.function)) {
                throw new IllegalStateException(test + " does not cover " + refusal.function);
            }
            REPORT.add(refusal.function, outcome.equals("works") ? "refused " + refusal.reason : outcome, test);
        }
        functions.forEach(function -> REPORT.add(function, outcome, test));
        Scenario scenario = context.getRequiredTestMethod().getAnnotation(Scenario.class);
        if (scenario != null) {
            for (String name : scenario.value()) {
                SCENARIOS.add(name, outcome.equals("works") ? "passed" : outcome);
            }
        }
    }

    private static Set<String> functions(ExtensionContext context) {
        var names = new LinkedHashSet<String>();
        add(names, context.getElement());
        for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
            add(names, Optional.of(type));
        }
        return names;
    }

    private static void add(Set<String> names, Optional<AnnotatedElement> element) {
        element.map(found -> found.getAnnotation(Covers.class))
                .ifPresent(covers -> names.addAll(Set.of(covers.value())));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        REPORT.write();
        SCENARIOS.write();
    }
}
