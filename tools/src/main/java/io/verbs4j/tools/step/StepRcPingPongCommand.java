// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.Device;
import picocli.CommandLine.Command;

/// `verbs step rc-pingpong`.
@Command(
        name = "rc-pingpong",
        header = "A ping-pong over a reliable connection in nine steps, from the list of devices to cleaning up.",
        description = {
                "%nBoth ends run in this process, so all steps are visible. Each step shows the program's calls, the"
                        + " commands that reach the kernel, its answers, the states of the queue pairs, the rings,"
                        + " and the packets. Any key continues; q cleans up and quits.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs step rc-pingpong                           between the first two devices",
                "  verbs step rc-pingpong -d rxe0 --level fields    also each field of each struct",
                "  verbs step rc-pingpong --no-wait > steps.txt     all at once, to read later"
        })
public final class StepRcPingPongCommand extends StepProgram {
    /// Called by picocli.
    public StepRcPingPongCommand() {}

    @Override
    SteppedProgram<?> program(Device here, Device there, StepScreen screen) {
        return new PingPongSteps(here, there, screen);
    }
}
