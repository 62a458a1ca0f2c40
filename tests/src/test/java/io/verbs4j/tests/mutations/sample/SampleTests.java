// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes one after another in this process, and prints a line for each: its name, `passed` or the names of
/// the failed tests, the milliseconds, and the reached places. With `first`, it stops at the first class that fails
/// twice or times out.
final class SampleTests {
    /// The system property with the tags of the tests that run; all if it is not set.
    static final String TAGS = "verbs4j.sample.tags";

    static final String PASSED = "passed";

    /// Stands in place of a test's name if its class did not come to an end.
    static final String NO_END = "no-end";

    private SampleTests() {}

    /// A test class.
    ///
    /// @param name of the class
    /// @param limit timeout in milliseconds
    /// @param broken tests that fail even without a defect
    record Job(String name, long limit, Set<String> broken) {
        static Job parse(String text) {
            String[] words = text.split(" ");
            return new Job(words[0], Long.parseLong(words[1]),
                    words.length < 3 ? Set.of() : Set.of(words[2].split(",")));
        }

        String text() {
            return (name + " " + limit + " " + String.join(",", broken)).strip();
        }
    }

    /// Arguments: `all` or `first`, and a file of [Job]s.
    static void main(String[] arguments) throws IOException {
        boolean first = arguments[0].equals("first");
        List<String> jobs = Files.readAllLines(Path.of(arguments[1]));
        PrintStream out = System.out;
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        Launcher launcher = LauncherFactory.create();
        for (Job job : jobs.stream().map(Job::parse).toList()) {
            long start = System.nanoTime();
            var watch = new Thread(() -> endAfter(job, out), "watch");
            watch.setDaemon(true);
            watch.start();
            String verdict = run(launcher, job, arguments[1]);
            if (first && !verdict.equals(PASSED)) {
                verdict = run(launcher, job, arguments[1]);
            }
            watch.interrupt();
            print(out, job, verdict, (System.nanoTime() - start) / 1_000_000);
            if (first && !verdict.equals(PASSED)) {
                break;
            }
        }
        end(out);
    }

    private static String run(Launcher launcher, Job job, String folder) {
        var verdict = new Verdict(job.broken);
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(job.name))
                .configurationParameter("jqwik.database", folder + ".jqwik")
                .configurationParameter("jqwik.shrinking.default", "OFF");
        String tags = System.getProperty(TAGS);
        if (tags != null) {
            request.filters(TagFilter.includeTags(tags));
        }
        launcher.execute(request.build(), verdict);
        return verdict.text();
    }

    private static void endAfter(Job job, PrintStream out) {
        try {
            Thread.sleep(job.limit);
            print(out, job, NO_END, job.limit);
            end(out);
        } catch (InterruptedException e) {
            // it has come to an end
        }
    }

    private static synchronized void print(PrintStream out, Job job, String verdict, long millis) {
        out.println("TEST " + job.name + " " + verdict + " " + millis + " " + Probes.take());
        out.flush();
    }

    private static void end(PrintStream out) {
        out.println("END");
        out.flush();
        Runtime.getRuntime().halt(0); // whatever thread a defect has left
    }

    private static final class Verdict implements TestExecutionListener {
        private final List<String> failed = Collections.synchronizedList(new ArrayList<>());
        private final Set<String> broken;

        Verdict(Set<String> broken) {
            this.broken = broken;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            String name = test.getLegacyReportingName().replaceAll("[ ,|]+", "_");
            if (result.getStatus() == TestExecutionResult.Status.FAILED && !broken.contains(name)) {
                failed.add(name);
            }
        }

        String text() {
            return failed.isEmpty() ? PASSED : failed.stream().distinct().collect(Collectors.joining(","));
        }
    }
}
