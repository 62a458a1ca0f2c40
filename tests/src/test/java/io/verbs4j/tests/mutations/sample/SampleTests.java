// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes one after the other in this process, and prints a line for each: its name, `passed` or the name of the first test
/// that failed, the milliseconds, and the places that it has reached. With `first` it ends at the first that fails.
final class SampleTests {
    private SampleTests() {}

    /// Arguments: `all` or `first`, and a file of class names.
    static void main(String[] arguments) throws IOException {
        boolean first = arguments[0].equals("first");
        List<String> classes = Files.readAllLines(Path.of(arguments[1]));
        PrintStream out = System.out;
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        Launcher launcher = LauncherFactory.create();
        for (String name : classes) {
            long start = System.nanoTime();
            var verdict = new Verdict();
            launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(name))
                            .configurationParameter("jqwik.database", arguments[1] + ".jqwik")
                            .configurationParameter("jqwik.shrinking.default", "OFF")
                            .build(),
                    verdict);
            out.println("TEST " + name + " " + verdict.failed + " " + (System.nanoTime() - start) / 1_000_000 + " "
                    + Probes.take());
            out.flush();
            if (first && !verdict.failed.equals("passed")) {
                break;
            }
        }
        out.println("END");
        out.flush();
        Runtime.getRuntime().halt(0); // whatever thread a defect has left
    }

    private static final class Verdict implements TestExecutionListener {
        private volatile String failed = "passed";

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED && failed.equals("passed")) {
                failed = test.getLegacyReportingName().replace(' ', '_');
            }
        }
    }
}
