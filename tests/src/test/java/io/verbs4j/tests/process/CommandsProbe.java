// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.tests.support.Probe;
import io.verbs4j.tests.support.ToolRun;

/// The program that [RefusedCommandsIT] starts. It runs commands of our command line one after another, because a Java
/// process takes long to start. Each answer is the exit code and, on the same line, the command's output.
final class CommandsProbe {
    private CommandsProbe() {}

    /// @param commands each with its arguments, between spaces
    public static void main(String... commands) {
        for (String command : commands) {
            Probe.ask(command, () -> {
                ToolRun run = ToolRun.of(command.split(" "));
                return "exit code " + run.exitCode() + ": " + (run.output() + run.error()).strip().replace("\n", " | ");
            });
        }
    }
}
