// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A deliberate defect.
///
/// @param name what is wrong
/// @param file the source file, from the root of the project
/// @param test class and method that must catch it, as `class#method`
/// @param kernel which kernel's simulated devices the test runs on; empty if it makes its own or needs none
/// @param before lines to replace, without leading blanks
/// @param after lines in their place
record Mutation(String name, Path file, String test, String kernel, List<String> before, List<String> after) {
    /// Reads a list of mutations; its head says how they are written.
    static List<Mutation> read(Path list) {
        var mutations = new ArrayList<Mutation>();
        String name = "";
        String file = "";
        String test = "";
        String kernel = "";
        var before = new ArrayList<String>();
        var after = new ArrayList<String>();
        for (String line : (text(list) + "\n== ").lines().toList()) {
            if (line.startsWith("== ")) {
                if (!name.isEmpty()) {
                    mutations.add(
                            new Mutation(name, Path.of(file), test, kernel, List.copyOf(before), List.copyOf(after)));
                }
                name = line.substring(3);
                kernel = "";
                before.clear();
                after.clear();
            } else if (line.startsWith("file: ")) {
                file = line.substring(6);
            } else if (line.startsWith("test: ")) {
                test = line.substring(6);
            } else if (line.startsWith("on: ")) {
                kernel = line.substring(4);
            } else if (line.startsWith("- ")) {
                before.add(line.substring(2));
            } else if (line.startsWith("+ ")) {
                after.add(line.substring(2));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                throw new IllegalArgumentException(list + ": not a line of a mutation: " + line);
            }
        }
        return mutations;
    }

    /// The file with the defect.
    ///
    /// @throws IllegalStateException if it does not have the lines to replace, or not only once
    String apply(Path root) {
        List<String> lines = text(root.resolve(file)).lines().toList();
        int found = -1;
        for (int i = 0; i + before.size() <= lines.size(); i++) {
            if (lines.subList(i, i + before.size()).stream().map(String::strip).toList().equals(before)) {
                if (found >= 0) {
                    throw new IllegalStateException(
                            this + " fits twice: " + file + " lines " + (found + 1) + ", " + (i + 1));
                }
                found = i;
            }
        }
        if (found < 0 || before.isEmpty()) {
            throw new IllegalStateException(this + " does not fit " + file + " any more: " + before);
        }
        var changed = new ArrayList<>(lines.subList(0, found));
        changed.addAll(after);
        changed.addAll(lines.subList(found + before.size(), lines.size()));
        return changed.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    String testClass() {
        return test.substring(0, test.indexOf('#'));
    }

    String testMethod() {
        return test.substring(test.indexOf('#') + 1);
    }

    /// The page for readers.
    static String page(List<Mutation> mutations) {
        var page = new StringBuilder(
                """
                    # Mutations: what the tests must notice

                    Made by `tools/mutations --table` from `tests/mutations.txt`, where each defect stands with its lines. Each of them is
                    caught by the test beside it, which `tools/mutations` proves: it builds each defect into the code, one at a time, and
                    runs that test. A test of the build sees that all of them still fit the code, and that this table is up to date.

                    Why a list and not [PIT](https://pitest.org/quickstart/mutators/): its operators change what is alike in all
                    programs, such as conditions, arithmetic, calls and returned values, while these are defects of this one: a field
                    written for another, a plain access for an ordered one, a quirk forgotten. And each names its test.

                    Who wrote the tests chose these defects. `tools/mutations --sample NUMBER SEED` lets the lot choose: it draws places
                    of the compiled code of `uverbs-abi`, `provider-api`, `provider-rxe`, `verbs` and `rdma-cm`, changes each a little,
                    finds the tests that reach it, and runs them, on real devices last. It prints what survives.

                    | defect | file | caught by |
                    | --- | --- | --- |
                    """);
        for (Mutation mutation : mutations) {
            String on = mutation.kernel.isEmpty() ? "" : " on simulated Linux " + mutation.kernel;
            page.append("| %s | `%s` | `%s`%s |\n".formatted(
                    mutation.name, mutation.file.getFileName(), shortName(mutation.test), on));
        }
        return page.toString();
    }

    private static String shortName(String test) {
        return test.substring(test.lastIndexOf('.', test.indexOf('#')) + 1).replace('#', '.');
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "mutation \"" + name + "\"";
    }
}
