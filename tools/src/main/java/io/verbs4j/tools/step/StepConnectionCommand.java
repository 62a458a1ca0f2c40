// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.Device;
import picocli.CommandLine.Command;

/// `verbs step connection`.
@Command(
        name = "connection",
        header = "A connection by IP address in eight steps, from listening to the farewell.",
        description = {
                "%nBoth ends are in this one process, so that all of it can be seen. Each step shows what the program calls, what"
                        + " reaches the kernel, the events of the connection manager, the state of the queue pairs, and the"
                        + " packets that crossed: requests, answers and confirmations in all their fields. Any key goes on; q ends it, and cleans up.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs step connection                            between the first two devices",
                "  verbs step connection -d rxe0 --level fields     also each field of each struct",
                "  verbs step connection --no-wait > steps.txt      all at once, to read later"
        })
public final class StepConnectionCommand extends StepProgram {
    /// For the command line.
    public StepConnectionCommand() {}

    @Override
    Walk walk(Device here, Device there, StepScreen screen) {
        return new ConnectionWalk(here, there, screen);
    }
}
