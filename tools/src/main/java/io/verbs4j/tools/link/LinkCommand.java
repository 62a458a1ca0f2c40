// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.link;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `verbs link`.
@Command(
        name = "link",
        header = "List RDMA links; make and delete software devices.",
        description = {
                "%nReplaces iproute2's rdma link on machines without it. Making and deleting devices requires"
                        + " CAP_NET_ADMIN. The kernel loads the driver by itself.%n"
        },
        subcommands = {LinkListCommand.class, LinkAddCommand.class, LinkDeleteCommand.class},
        synopsisSubcommandLabel = "(list | add | delete)",
        footer = {
                "%nExamples:",
                "  verbs link list",
                "  verbs link add rxe0 --netdev eth0",
                "  verbs link delete rxe0"
        })
public final class LinkCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a subcommand is missing: list, add or delete");
    }
}
