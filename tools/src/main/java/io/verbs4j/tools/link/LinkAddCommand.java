// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.link;

import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.host.Host;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs link add`.
@Command(
        name = "add",
        header = "Make a software device on a network interface.",
        footer = {
                "%nExamples:",
                "  verbs link add rxe0 --netdev eth0",
                "  verbs link add siw0 --netdev eth0 --type siw"
        })
final class LinkAddCommand implements Callable<Integer> {
    /// `IB_DEVICE_NAME_MAX` without the terminating zero.
    private static final int LONGEST_NAME = 63;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            paramLabel = "<name>",
            description = "Name of the new device, such as rxe0.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(
            names = "--netdev",
            required = true,
            paramLabel = "<interface>",
            description = "The network interface for the device, such as eth0.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String netdev;

    @Option(
            names = "--type",
            paramLabel = "<type>",
            description = "rxe (RoCE v2) or siw (iWARP) (default: rxe).") private String type = "rxe";

    @Override
    public Integer call() {
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.contains("%") || name.contains("/")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + name + "' is not a valid device name: use 1 to 63 characters without % and /");
        }
        try (RdmaSubsystem subsystem = Host.current().subsystem()) {
            subsystem.addLink(name, type, netdev);
        }
        return 0;
    }
}
