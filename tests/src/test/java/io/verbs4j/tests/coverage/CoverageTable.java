// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.coverage;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Writes docs/verbs-coverage.md. For each function of libibverbs, the page names the Java equivalent, and shows
/// whether its device tests passed on each kernel. `tools/lab coverage` calls this class.
///
/// Usage: `CoverageTable OUTPUT KERNEL=FOLDER…`. Each folder contains the results of all device tests on that kernel.
public final class CoverageTable {
    private static final Pattern ERRNO = Pattern.compile("(E[A-Z0-9]+): (.*)");
    private static final int NAMED_TESTS = 2;

    /// One line of coverage.tsv, see [io.verbs4j.tests.support.CoverageReport].
    private record Finding(String function, String outcome, String testClass, String method) {
        static Finding parse(String line) {
            String[] fields = line.split("\t");
            String[] test = fields[2].split("#");
            return new Finding(fields[0], fields[1], test[0].substring(test[0].lastIndexOf('.') + 1).replace('$', '.'),
                    test[1]);
        }
    }

    /// The findings on one kernel.
    private record Kernel(String name, String release, Map<String, List<Finding>> findings) {
        static Kernel read(String argument) {
            String[] parts = argument.split("=", 2);
            Path folder = Path.of(parts[1]);
            try {
                String release = Files.readString(folder.resolve("release")).strip();
                try (Stream<String> lines = Files.lines(folder.resolve("coverage.tsv"))) {
                    return new Kernel(
                            parts[0], release, lines.map(Finding::parse).collect(groupingBy(Finding::function)));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        List<Finding> of(FunctionMap.Entry entry) {
            return findings.getOrDefault(entry.function(), List.of());
        }
    }

    private final List<Kernel> kernels;
    private final List<String> faults = new ArrayList<>();

    private CoverageTable(List<Kernel> kernels) {
        this.kernels = kernels;
    }

    /// Writes the table. The exit code is 1 if a test failed, or no test covers a function that exists in Java.
    ///
    /// @param arguments the output, and `KERNEL=FOLDER` for each kernel
    public static void main(String[] arguments) throws IOException {
        var table = new CoverageTable(
                Stream.of(arguments).skip(1).map(Kernel::read).toList());
        Files.writeString(Path.of(arguments[0]), table.markdown());
        if (!table.faults.isEmpty()) {
            table.faults.forEach(System.err::println);
            System.exit(1);
        }
    }

    private String markdown() {
        var text = new StringBuilder(
                """
                    # Coverage of libibverbs

                    This page lists each function of `infiniband/verbs.h`, the equivalent in Java, and the results of the device tests on real
                    rxe. [Supported features](features.md) lists other devices, too. `tools/lab coverage` generates this page, so do not edit the
                    page.

                    The column *Java* names the equivalent in Java. A name that begins with `Feature` is the name of an absent feature.

                    The other cells mean:
                    - **works**: a test calls the equivalent in Java with success.
                    - **refused**: a test shows that the kernel refuses the function with the given error number.
                    - **absent**: a test shows that verbs4j throws a `NotSupportedException`, without calling the kernel.
                    - **Several results**: the tests of a function can have different results. For example, one test calls the kernel
                      directly, and another test calls verbs4j.
                    - **–**: there is nothing to test, for the reason in the Java column.
                    - **Tests**: a number in parentheses is the number of tests in this class that call the function.

                    """);
        text.append("Kernels: ")
                .append(kernels.stream()
                        .map(kernel -> kernel.name + " is " + kernel.release)
                        .collect(joining(", ")))
                .append(".\n");
        sections().forEach((section, entries) -> append(text, section, entries));
        return text.toString();
    }

    private static Map<String, List<FunctionMap.Entry>> sections() {
        return FunctionMap.entries()
                .stream()
                .collect(groupingBy(FunctionMap.Entry::section, LinkedHashMap::new,
                        java.util.stream.Collectors.toList()));
    }

    private void append(StringBuilder text, String section, List<FunctionMap.Entry> entries) {
        text.append("\n## ").append(section).append("\n| libibverbs | Java |");
        kernels.forEach(kernel -> text.append(' ').append(kernel.name).append(" |"));
        text.append(" tests |\n|").append(" --- |".repeat(kernels.size() + 3)).append('\n');
        for (FunctionMap.Entry entry : entries) {
            text.append("| `").append(entry.function()).append("` | ").append(java(entry)).append(" |");
            kernels.forEach(kernel -> text.append(' ').append(outcome(kernel, entry)).append(" |"));
            text.append(' ').append(tests(entry)).append(" |\n");
        }
    }

    private static String java(FunctionMap.Entry entry) {
        return entry.javaNames().isEmpty()
                ? entry.reason()
                : entry.javaNames().stream().map(name -> "`" + name + "`").collect(joining(", "));
    }

    private String outcome(Kernel kernel, FunctionMap.Entry entry) {
        List<Finding> findings = kernel.of(entry);
        if (entry.javaNames().isEmpty() && findings.isEmpty()) {
            return "–";
        }
        var outcomes = findings.stream()
                .map(Finding::outcome)
                .map(CoverageTable::described)
                .distinct()
                .sorted() // **failed** first, then absent, refused, works
                .toList();
        if (outcomes.isEmpty()) {
            faults.add(entry.function() + " was not tested on " + kernel.name);
            return "**not tested**";
        }
        findings.stream()
                .filter(finding -> finding.outcome.equals("failed"))
                .forEach(finding -> faults.add(entry.function() + ": " + finding.method + " failed on " + kernel.name));
        return String.join("; ", outcomes.reversed());
    }

    private static String described(String outcome) {
        if (!outcome.startsWith("refused ")) {
            return outcome.equals("failed") ? "**failed**" : outcome;
        }
        String why = outcome.substring("refused ".length());
        var errno = ERRNO.matcher(why);
        return errno.matches() ? "refused, `" + errno.group(1) + "`: " + errno.group(2) : "absent: " + why;
    }

    /// The tests by class; the methods of a class by name if they are few.
    private String tests(FunctionMap.Entry entry) {
        var methods = new TreeMap<String, TreeSet<String>>();
        kernels.forEach(kernel -> kernel.of(entry)
                .forEach(finding -> methods.computeIfAbsent(finding.testClass, _ -> new TreeSet<>())
                        .add(finding.method)));
        return methods.entrySet()
                .stream()
                .map(tests -> tests.getValue().size() > NAMED_TESTS
                        ? tests.getKey() + " (" + tests.getValue().size() + ")"
                        : tests.getValue()
                                .stream()
                                .map(method -> tests.getKey() + "." + method)
                                .collect(joining(", ")))
                .collect(joining(", "));
    }
}
