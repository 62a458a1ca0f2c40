// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;

/// The program that [DisturbedEnvironmentsIT] starts in an environment: runs commands one after the other, because a
/// Java process takes its time to start. For each command, it prints a line from [Finished].
final class EnvironmentProbe {
    private EnvironmentProbe() {}

    /// @param arguments a line of a shell for what can be disturbed from within alone, such as the number of
    ///     descriptors, which Java needs itself until then; and the commands, each with its arguments between spaces
    public static void main(String... arguments) throws IOException, InterruptedException {
        if (!arguments[0].isEmpty()) {
            for (int i = 1; i < arguments.length; i++) {
                ToolRun.of(arguments[i].split(" ")); // loads what it needs
            }
            new ProcessBuilder("sh", "-ec", arguments[0]).inheritIO().start().waitFor();
        }
        for (int i = 1; i < arguments.length; i++) {
            System.out.println(Finished.of(arguments[i], arguments[i]).toLine());
        }
        System.exit(0); // also if a thread of a command still runs
    }
}
