// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.Device;
import picocli.CommandLine.Command;

/// `verbs step connection`.
@Command(
        name = "connection",
        header = "A connection by IP address in eight steps, from listening to disconnecting.",
        description = {
                "%nBoth ends run in this process, so all steps are visible. Each step shows the program's calls, the"
                        + " commands that reach the kernel, the events of the connection manager, the states of the"
                        + " queue pairs, and the packets with all their fields. Any key continues; q cleans up and"
                        + " quits.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs step connection                            between the first two devices",
                "  verbs step connection -d rxe0 --level fields     also each field of each struct",
                "  verbs step connection --no-wait > steps.txt      all at once, to read later"
        })
public final class StepConnectionCommand extends StepProgram {
    /// Called by picocli.
    public StepConnectionCommand() {}

    @Override
    SteppedProgram<?> program(Device here, Device there, StepScreen screen) {
        return new ConnectionSteps(here, there, screen);
    }
}
