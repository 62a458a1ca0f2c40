// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `verbs abi`.
@Command(
        name = "abi",
        header = "Explain the structs, commands and errors between programs and the kernel, and check them.",
        synopsisSubcommandLabel = "<what>",
        subcommands = {
                AbiListCommand.class,
                AbiShowCommand.class,
                AbiCommandsCommand.class,
                AbiErrorsCommand.class,
                AbiCheckCommand.class,
                AbiDiffCommand.class
        },
        footer = {
                "%nExamples:",
                "  verbs abi show ib_uverbs_modify_qp       a struct, field by field",
                "  verbs abi commands modify                how verbs reach the kernel",
                "  verbs abi errors create-queue-pair       what its error numbers mean",
                "  verbs abi check                          compare the structs with this kernel's types"
        })
public final class AbiCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(),
                "a subcommand is missing: list, show, commands, errors, check or diff");
    }
}
