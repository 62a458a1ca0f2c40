// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.tests.support.Probe;
import io.verbs4j.tests.support.ToolRun;

/// The program that [LookingIT] starts where devices are hidden. It runs each command that shows devices, and prints
/// its exit code and output.
final class LookingProbe {
    private LookingProbe() {}

    public static void main(String... commands) {
        for (String command : commands) {
            Probe.ask(command, () -> {
                ToolRun run = ToolRun.of(command.split(" "));
                return run.exitCode() + " " + (run.error() + run.output()).replace('\n', '|');
            });
        }
    }
}
