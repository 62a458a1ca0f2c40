// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/// A run of our command line in this process, which avoids starting another.
///
/// @param exitCode its exit code
/// @param output its standard output
/// @param error its standard error
public record ToolRun(int exitCode, String output, String error) {
    /// Runs it.
    public static ToolRun of(String... arguments) {
        return writing(new StringWriter(), arguments);
    }

    /// Runs it, and lets others see what it writes on the standard output while it runs.
    public static ToolRun writing(StringWriter output, String... arguments) {
        var error = new StringWriter();
        int code = Main.commandLine(arguments)
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(error, true))
                .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
                .execute(arguments);
        return new ToolRun(code, output.toString(), error.toString());
    }

    /// Fails unless its exit code is 0.
    public ToolRun requireSuccess() {
        assertThat(exitCode).as(this::toString).isZero();
        return this;
    }

    /// Fails unless it failed with this exit code and a message that holds all of the texts.
    public void requireFailure(int code, String... texts) {
        assertThat(exitCode).as(this::toString).isEqualTo(code);
        assertThat(error).contains(texts);
        assertThat(error.lines().filter(line -> !line.startsWith("try: "))).as(error).hasSize(1);
    }

    /// Returns what it wrote on the standard output, line by line.
    public List<String> lines() {
        return output.lines().toList();
    }
}
