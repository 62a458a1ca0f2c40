// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import io.verbs4j.tests.support.ToolRun;
import java.util.List;
import java.util.Optional;

/// The exit code and the output of a command.
///
/// @param command with its arguments
/// @param millis how long it took
/// @param code its exit code
/// @param output what it wrote on the standard output
/// @param error what it wrote on the standard error
record Finished(String command, long millis, int code, String output, String error) {
    /// Lines of output that a report contains; a doctor's in full.
    private static final int MAX_SHOWN = 90;
    private static final String MARK = "finished\t";

    /// Runs a command.
    ///
    /// @param name its name in the result
    /// @param line its arguments, between spaces
    static Finished of(String name, String line) {
        long start = System.nanoTime();
        try {
            ToolRun run = ToolRun.of(line.split(" "));
            return new Finished(name, since(start), run.exitCode(), run.output(), run.error());
        } catch (Throwable e) { // what comes through a command's own handling is what is looked for
            return new Finished(name, since(start), -1, "", "thrown: " + e);
        }
    }

    private static long since(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    /// All on one line, among what a process prints besides.
    String toLine() {
        return MARK + String.join("\t",
                List.of(command, String.valueOf(millis), String.valueOf(code), escape(output), escape(error)));
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    }

    static Optional<Finished> parse(String line) {
        if (!line.startsWith(MARK)) {
            return Optional.empty();
        }
        String[] parts = line.substring(MARK.length()).split("\t", -1);
        return Optional.of(new Finished(
                parts[0],
                Long.parseLong(parts[1]),
                Integer.parseInt(parts[2]),
                parts[3].translateEscapes(),
                parts[4].translateEscapes()));
    }

    private static String shortened(String text) {
        List<String> lines = text.strip().lines().toList();
        return String.join("\n", lines.size() <= MAX_SHOWN ? lines : lines.subList(0, MAX_SHOWN));
    }

    @Override
    public String toString() {
        return "verbs " + command + " => " + code + " after " + millis + " ms\n" + shortened(output).indent(4)
                + error.strip().indent(4);
    }
}
