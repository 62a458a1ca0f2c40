// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.tools.common.DeviceSelection;
import io.verbs4j.tools.common.EachDevice;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs devinfo`.
@Command(
        name = "devinfo",
        header = "Show the attributes of RDMA devices and their ports.",
        description = {
                "%nThe output has the lines of ibv_devinfo. If a device does not answer, stderr reports it, and the"
                        + " other devices are shown.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs devinfo                    all devices, in short",
                "  verbs devinfo -v -d rxe0         one device, all attributes and its GIDs",
                "  verbs devinfo --json             all attributes, for programs"
        })
public final class DevinfoCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final DeviceSelection selection = new DeviceSelection();

    @Option(
            names = {"-l", "--list"},
            description = "Show only the devices' names.") private boolean list;

    @Option(
            names = {"-v", "--verbose"},
            description = "Show all attributes, and the ports' GIDs.") private boolean verbose;

    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Device> devices = list ? Devices.list() : selection.devices();
        if (list && json.isSet()) {
            out.println(Json.pretty(devices.stream().map(Device::name).toList()));
            out.flush();
            return 0;
        }
        if (list) {
            out.printf("%d HCA%s found:\n", devices.size(), devices.size() == 1 ? "" : "s");
            devices.forEach(each -> out.print("\t" + each.name() + "\n"));
            out.print("\n");
            out.flush();
            return 0;
        }
        if (json.isSet()) {
            var facts = new ArrayList<DeviceFacts>();
            int code = EachDevice.ask(spec, devices, Device::name, each -> facts.add(gather(each)));
            out.println(Json.pretty(facts));
            out.flush();
            return code;
        }
        return EachDevice.ask(spec, devices, Device::name, each -> show(each, out));
    }

    private void show(Device each, PrintWriter out) {
        new DevinfoReport(out, verbose).print(gather(each));
        out.flush();
    }

    private DeviceFacts gather(Device each) {
        try (Context context = each.open()) {
            return gather(context);
        }
    }

    private DeviceFacts gather(Context context) {
        Device from = context.device();
        var ports = new ArrayList<DeviceFacts.Port>();
        for (int number : selection.ports(from.name(), context.attributes().ports())) {
            ports.add(new DeviceFacts.Port(context.port(number),
                    verbose || json.isSet() ? context.gids(number) : List.of()));
        }
        return new DeviceFacts(
                from.name(), from.nodeType(), boardId(from), context.attributes(), context.completionVectors(), ports);
    }

    private static @Nullable String boardId(Device device) {
        try {
            String text = Files.readString(Path.of("/sys/class/infiniband", device.name(), "board_id")).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException e) {
            return null; // software devices have none
        }
    }
}
