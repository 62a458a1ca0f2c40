// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.coverage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The Java equivalents of libibverbs' functions, from the file `verbs-coverage.txt`, which describes its format.
final class FunctionMap {
    /// One function.
    ///
    /// @param section the heading of its section
    /// @param function its name in C
    /// @param javaNames members of classes, as `Class.member`; empty if there is no equivalent
    /// @param reason why there is no equivalent; empty if there is one
    record Entry(String section, String function, List<String> javaNames, String reason) {}

    private FunctionMap() {}

    /// All functions, in the order of the table.
    static List<Entry> entries() {
        var entries = new ArrayList<Entry>();
        String section = "";
        for (String line : lines("/verbs-coverage.txt")) {
            if (line.startsWith("[")) {
                section = line.substring(1, line.length() - 1);
                continue;
            }
            String[] fields = line.split(" +", 2);
            if (fields.length != 2) {
                throw new IllegalStateException("nothing stands for the function: " + line);
            }
            boolean absent = fields[1].startsWith("- ");
            entries.add(new Entry(
                    section,
                    fields[0],
                    absent ? List.of() : List.of(fields[1].split(", ")),
                    absent ? fields[1].substring(2) : ""));
        }
        return entries;
    }

    /// The functions that the header declares.
    static List<String> functionsOfTheHeader() {
        return lines("/verbs-functions.txt");
    }

    private static List<String> lines(String resource) {
        try (var stream = FunctionMap.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("no resource " + resource);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
