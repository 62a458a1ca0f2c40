// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import io.verbs4j.tests.support.ToolRun;
import java.util.List;
import java.util.Optional;

/// The exit code and the output of a command.
///
/// @param command with its arguments
/// @param code its exit code
/// @param output what it wrote on the standard output
/// @param error what it wrote on the standard error
record Finished(String command, int code, String output, String error) {
    /// Lines of output that a report contains; a doctor's in full.
    private static final int MAX_SHOWN = 90;
    private static final String MARK = "finished\t";

    static Finished of(String command, ToolRun run) {
        return new Finished(command, run.exitCode(), run.output(), run.error());
    }

    /// All on one line, among what a process prints besides.
    String toLine() {
        return MARK + String.join("\t", List.of(command, String.valueOf(code), escape(output), escape(error)));
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
                parts[0], Integer.parseInt(parts[1]), parts[2].translateEscapes(), parts[3].translateEscapes()));
    }

    private static String shortened(String text) {
        List<String> lines = text.strip().lines().toList();
        return String.join("\n", lines.size() <= MAX_SHOWN ? lines : lines.subList(0, MAX_SHOWN));
    }

    @Override
    public String toString() {
        return "verbs " + command + " => " + code + "\n" + shortened(output).indent(4) + error.strip().indent(4);
    }
}
