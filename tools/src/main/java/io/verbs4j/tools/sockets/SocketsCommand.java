// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `verbs sockets`.
@Command(
        name = "sockets",
        header = "Check how a Java program is started for sockets over RDMA; list its connections.",
        description = {
                "%nAn unchanged Java program uses RDMA if it is started with the agent of verbs4j. 'check' explains a start"
                        + " line and names what is missing. 'list' shows which connections of a running program use RDMA"
                        + " and which use TCP.%n"
        },
        subcommands = {SocketsCheckCommand.class, SocketsListCommand.class},
        synopsisSubcommandLabel = "(check | list)",
        footer = {
                "%nExamples:",
                "  verbs sockets check java -javaagent:verbs4j-bundle-VERSION.jar -jar app.jar",
                "  verbs sockets check --pid 4711     the line by which this program was started",
                "  verbs sockets list                 programs that have an RDMA device open",
                "  verbs sockets list 4711            the connections of one"
        })
public final class SocketsCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /// For the command line.
    public SocketsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "check or list?");
    }
}
