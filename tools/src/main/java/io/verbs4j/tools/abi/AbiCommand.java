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
                "  verbs abi commands modify                how a verb travels",
                "  verbs abi errors create-queue-pair       what its error numbers mean",
                "  verbs abi check                          our structs against this kernel's own types"
        })
public final class AbiCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(),
                "what of the ABI? list, show, commands, errors, check or diff");
    }
}
