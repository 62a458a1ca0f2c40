// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `verbs`: the command that the others belong to.
@Command(
        name = "verbs",
        header = "RDMA tools in Java, without native code.",
        synopsisSubcommandLabel = "<command>",
        footer = {"%n'verbs <command> --help' explains a command and shows examples."})
final class VerbsCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "Show where in the program an error arose, for developers.") private boolean stackTrace;

    boolean wantsStackTrace() {
        return stackTrace;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
