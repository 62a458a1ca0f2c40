// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.link;

import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `verbs link list`.
@Command(
        name = "list",
        header = "List the ports of all RDMA devices.",
        footer = {"%nExample:", "  verbs link list"})
final class LinkListCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final JsonOption json = new JsonOption();

    /// A port.
    record Link(
            String device, int port, String protocol, String state, String physicalState, Optional<String> netdev) {}

    @Override
    public Integer call() {
        var links = new ArrayList<Link>();
        try (RdmaSubsystem subsystem = Host.current().subsystem()) {
            for (RdmaSubsystem.Device device : subsystem.devices()) {
                for (RdmaSubsystem.Port port : subsystem.ports(device.index())) {
                    links.add(new Link(
                            device.name(),
                            port.number(),
                            device.protocol(),
                            port.state().toString(),
                            port.physicalState().toString(),
                            port.networkInterface()));
                }
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json.isSet()) {
            out.println(Json.pretty(links));
        } else {
            var table = new Table("device", "port", "protocol", "state", "physical state", "netdev");
            for (Link link : links) {
                table.row(
                        link.device,
                        Integer.toString(link.port),
                        link.protocol,
                        link.state,
                        link.physicalState,
                        link.netdev.orElse("-"));
            }
            table.print(out);
        }
        out.flush();
        if (links.isEmpty()) {
            spec.commandLine().getErr().println(Host.current().absence());
        }
        return 0;
    }
}
