// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `verbs step`.
@Command(
        name = "step",
        header = "Walk through the verbs of a program, one step at a time.",
        synopsisSubcommandLabel = "<program>",
        subcommands = {StepRcPingPongCommand.class, StepConnectionCommand.class},
        footer = {"%nExamples:", "  verbs step rc-pingpong", "  verbs step connection --level fields"})
public final class StepCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /// Called by picocli.
    public StepCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a program is missing: rc-pingpong or connection");
    }
}
