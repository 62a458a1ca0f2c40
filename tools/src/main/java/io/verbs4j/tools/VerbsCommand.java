// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.abi.host.HostFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `verbs`: the parent of all commands.
@Command(
        name = "verbs",
        header = "RDMA tools in Java, without native code.",
        synopsisSubcommandLabel = "<command>",
        footer = {"%n'verbs <command> --help' explains a command and shows examples."})
final class VerbsCommand implements Runnable {
    static final String SIMULATE = "--simulate";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of an error.") private boolean stackTrace;

    /// Selects the host before any command accesses devices.
    @Option(
            names = SIMULATE,
            paramLabel = "<devices>[:<kernel>]",
            description = "Simulate this number of devices in this process, instead of using the machine's devices."
                    + " Optionally names the kernel to simulate: 2, 2:6.1, 2:6.12, 2:7.2 or 2:specification. Precedes"
                    + " the command.")
    void simulate(String devices) {
        System.setProperty(HostFactory.PROPERTY, devices);
    }

    boolean wantsStackTrace() {
        return stackTrace;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
