// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.GidSelection;
import io.verbs4j.GidSelector;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.tools.common.DeviceSelection;
import io.verbs4j.tools.common.EachDevice;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.Table;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs gids`.
@Command(
        name = "gids",
        header = "Show the GIDs of RDMA devices, and which one programs would choose.",
        description = {
                "%nMost RDMA programs take the index as option -g. Both ends need GIDs of the same type and IP family."
                        + " A star marks the GID that is chosen by default, and a line below the table gives the"
                        + " reason. If a device does not answer, stderr reports it, and the other devices are"
                        + " shown.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs gids                       all devices",
                "  verbs gids -d rxe0 --json        one device, for programs",
                "  verbs gids --peer 10.9.0.2       the GID for this peer"
        })
public final class GidsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final DeviceSelection asked = new DeviceSelection();

    @Option(
            names = "--peer",
            paramLabel = "<host>",
            description = "Choose the GID for this peer: the source address of the route to the peer.") private @Nullable String peer;

    @Mixin private final JsonOption json = new JsonOption();

    /// A row for one GID.
    record GidRow(int index, Gid gid, GidType type, @Nullable String netdev, String address, boolean chosen) {}

    /// The GIDs of a port.
    ///
    /// @param choice the reason for the choice, or why no GID is chosen
    record PortGids(String device, int port, List<GidRow> gids, String choice) {}

    @Override
    public Integer call() {
        List<Device> devices = asked.devices();
        GidSelector selector = selector();
        var tables = new ArrayList<PortGids>();
        int code = EachDevice.ask(spec, devices, Device::name, each -> {
            try (Context context = each.open()) {
                addPorts(context, selector, tables);
            }
        });
        PrintWriter out = spec.commandLine().getOut();
        if (json.isSet()) {
            out.println(Json.pretty(tables));
        } else {
            print(tables, out);
        }
        out.flush();
        return code;
    }

    private GidSelector selector() {
        if (peer == null) {
            return GidSelector.automatic();
        }
        try {
            return GidSelector.forPeer(InetAddress.getByName(peer));
        } catch (UnknownHostException e) {
            throw new ToolException("unknown host: " + peer);
        }
    }

    private void addPorts(Context context, GidSelector selector, List<PortGids> tables) {
        String device = context.device().name();
        for (int number : asked.ports(device, context.attributes().ports())) {
            int chosen = -1;
            String choice;
            try {
                GidSelection selection = selector.select(context, number);
                chosen = selection.entry().index();
                choice = selection.reason();
            } catch (IllegalStateException e) {
                choice = "none: " + e.getMessage();
            }
            var rows = new ArrayList<GidRow>();
            for (GidEntry entry : context.gids(number)) {
                rows.add(new GidRow(
                        entry.index(),
                        entry.gid(),
                        entry.type(),
                        Host.current().interfaceName(entry.interfaceIndex()).orElse(null),
                        AddressText.of(entry.gid()).replaceFirst("^::ffff:(?=.*\\.)", ""),
                        entry.index() == chosen));
            }
            tables.add(new PortGids(device, number, rows, choice));
        }
    }

    private static void print(List<PortGids> tables, PrintWriter out) {
        var table = new Table("device", "port", "index", "GID", "type", "netdev", "address");
        for (PortGids each : tables) {
            for (GidRow row : each.gids) {
                table.row(
                        each.device,
                        Integer.toString(each.port),
                        row.index + (row.chosen ? " *" : ""),
                        row.gid.toString(),
                        row.type.toString(),
                        row.netdev == null ? "-" : row.netdev,
                        row.address);
            }
        }
        table.print(out);
        out.println();
        for (PortGids each : tables) {
            out.println("* " + each.device + " port " + each.port + ": " + each.choice);
        }
    }
}
