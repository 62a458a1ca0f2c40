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
/// @param name the defect
/// @param file the source file, relative to the root of the project
/// @param test class and method that must catch it, as `class#method`
/// @param kernel the kernel of the simulated devices that the test runs on; empty if it creates its own or needs none
/// @param before lines to replace, without leading blanks
/// @param after the replacement lines
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

    /// Returns the file with the defect.
    ///
    /// @throws IllegalStateException if it does not contain the lines to replace exactly once
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

    /// Returns the test's method and class, without the package.
    String shortTest() {
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
