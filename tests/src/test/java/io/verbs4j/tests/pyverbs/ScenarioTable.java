// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static java.util.stream.Collectors.joining;

import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Compares the outcomes of rdma-core's Python suite with those of our tests of the same scenarios ([Scenario]). Called
/// by `tools/lab pyverbs`.
///
/// Usage: `ScenarioTable [--output FILE] KERNEL=FOLDER…`. Each folder contains the results of both in one guest. Prints
/// the differences, and the number of equal outcomes. The file becomes docs/pyverbs-scenarios.md. The exit code is 1 if
/// a difference has no explanation in `pyverbs-differences.txt`.
public final class ScenarioTable {
    private static final String SKIPPED = "skipped";
    private static final String ABSENT = "–";

    /// Describes what both found on one kernel, by scenario.
    private record Kernel(String name, String release, Map<String, String> python, Map<String, String> java) {
        static Kernel read(String argument) {
            String[] parts = argument.split("=", 2);
            Path folder = Path.of(parts[1]);
            var python = new TreeMap<String, String>();
            for (String[] fields : read(folder.resolve("pyverbs.tsv"))) {
                python.put(fields[0], fields[1]);
            }
            var java = new TreeMap<String, String>();
            for (String[] fields : read(folder.resolve("scenarios.tsv"))) {
                java.merge(fields[0], fields[1], (one, other) -> one.equals("failed") ? one : other);
            }
            try {
                return new Kernel(
                        parts[0], Files.readString(folder.resolve("release")).strip(), python, java);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static List<String[]> read(Path file) {
            try (Stream<String> lines = Files.lines(file)) {
                return lines.map(line -> line.split("\t")).toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String inPython(String scenario) {
            return python.getOrDefault(scenario, ABSENT);
        }

        String inJava(String scenario) {
            return java.getOrDefault(scenario, ABSENT);
        }

        /// Returns whether both agree. Tests that the suite skips need no counterpart, and some of our scenarios are
        /// missing in this version of the suite.
        boolean agrees(String scenario) {
            String outcome = inJava(scenario);
            return switch (inPython(scenario)) {
                case SKIPPED -> outcome.equals(ABSENT);
                case ABSENT -> !outcome.equals("failed");
                default -> outcome.equals(inPython(scenario));
            };
        }
    }

    private final Map<String, String> tests = tests();
    private final Map<String, String> explanations = explanations();
    private final List<Kernel> kernels;

    private ScenarioTable(List<String> arguments) {
        kernels = arguments.stream().map(Kernel::read).toList();
    }

    /// Prints the differences and writes the table.
    ///
    /// @param arguments see above
    public static void main(String[] arguments) throws IOException {
        var rest = new ArrayList<>(List.of(arguments));
        Path output = null;
        if (rest.getFirst().equals("--output")) {
            rest.removeFirst();
            output = Path.of(rest.removeFirst());
        }
        var table = new ScenarioTable(rest);
        if (output != null) {
            Files.writeString(output, table.markdown());
        }
        System.exit(table.printDifferences() ? 0 : 1);
    }

    /// The tests that play each scenario, also those that were not run.
    static Map<String, String> tests() {
        var tests = new TreeMap<String, String>();
        TestClasses.methods().forEach((name, method) -> {
            var scenario = method.getAnnotation(Scenario.class);
            if (scenario != null) {
                for (String played : scenario.value()) {
                    tests.merge(played, name, (one, other) -> one + ", " + other);
                }
            }
        });
        return tests;
    }

    /// Scenarios whose outcomes differ, or that have no test in Java, and why.
    static Map<String, String> explanations() {
        try (var stream = ScenarioTable.class.getResourceAsStream("/pyverbs-differences.txt")) {
            if (stream == null) {
                throw new IllegalStateException("no resource pyverbs-differences.txt");
            }
            var explanations = new LinkedHashMap<String, String>();
            new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" +", 2))
                    .forEach(fields -> explanations.put(fields[0], fields[1]));
            return explanations;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TreeSet<String> scenarios() {
        var scenarios = new TreeSet<>(tests.keySet());
        kernels.forEach(kernel -> {
            scenarios.addAll(kernel.python.keySet());
            scenarios.addAll(kernel.java.keySet());
        });
        return scenarios;
    }

    private boolean printDifferences() {
        boolean explained = true;
        for (Kernel kernel : kernels) {
            int agreed = 0;
            for (String scenario : scenarios()) {
                if (kernel.agrees(scenario)) {
                    agreed++;
                    continue;
                }
                String why = explanations.get(scenario);
                explained &= why != null;
                System.out.printf(
                        "%s: %s: Python %s, Java %s: %s%n",
                        kernel.name,
                        scenario,
                        kernel.inPython(scenario),
                        kernel.inJava(scenario),
                        why == null ? "UNEXPLAINED" : why);
            }
            System.out.printf(
                    "%s (%s): %d scenarios, %d agree%n",
                    kernel.name, kernel.release, scenarios().size(), agreed);
        }
        return explained;
    }

    private String markdown() {
        var text = new StringBuilder(
                """
                    # Scenarios of rdma-core's Python suite

                    This page lists each test of rdma-core's own suite with the test of verbs4j for the same scenario. The page compares the two
                    suites, and is not a list of features. `tools/lab pyverbs --update` generates the page, so do not edit the page.

                    Both suites ran on rxe, in the same virtual machine. The suite's tests are from the folder `tests/` of rdma-core: addr,
                    atomic, cq, cq_events, cqex, device, fork, mr, odp, pd, qp, qpex, relaxed_ordering, srq.

                    - **One result in a cell**: both tests have this result.
                    - **Two results in a cell**: the suite's test has the first result, and the test of verbs4j has the second result.
                    - **skipped**: the suite skips the test, because the kernel or librxe lacks the feature.
                    - **failed**, **error**: the suite's test found a wrong result, or ended with an exception.
                    - **–**: there is no result, because this version of the suite lacks the test, the kernel or rxe lacks the feature, or
                      [Differences](#differences) gives another reason.

                    """);
        text.append("Kernels: ")
                .append(kernels.stream()
                        .map(kernel -> kernel.name + " is " + kernel.release)
                        .collect(joining(", ")))
                .append(".\n\n| test of the suite | test in Java |");
        kernels.forEach(kernel -> text.append(' ').append(kernel.name).append(" |"));
        text.append("\n|").append(" --- |".repeat(kernels.size() + 2)).append('\n');
        var notes = new TreeMap<String, String>();
        for (String scenario : scenarios()) {
            text.append("| ").append(scenario).append(" | ").append(tests.getOrDefault(scenario, ABSENT)).append(" |");
            for (Kernel kernel : kernels) {
                text.append(' ').append(cell(kernel, scenario)).append(" |");
                if (!kernel.agrees(scenario)) {
                    notes.put(scenario, explanations.getOrDefault(scenario, "unexplained"));
                }
            }
            text.append('\n');
        }
        text.append("\n## Differences\n");
        notes.forEach((scenario, why) -> text.append("- `").append(scenario).append("`: ").append(why).append('\n'));
        return text.toString();
    }

    private static String cell(Kernel kernel, String scenario) {
        String python = kernel.inPython(scenario);
        String java = kernel.inJava(scenario);
        return python.equals(java) ? python : python + ", " + java;
    }
}
