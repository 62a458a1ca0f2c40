// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.types.PortState;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `verbs devices`.
@Command(
        name = "devices",
        header = "List the RDMA devices of this machine.",
        description = {
                "%nThe first two columns are those of ibv_devices: name, and GUID of the node. The other columns show"
                        + " the character device that programs open, the provider of verbs4j for the device (- if"
                        + " there is none), its network interface, and the state of each port. Needs no permission"
                        + " on the devices.%n"
        },
        footer = {"%nExamples:", "  verbs devices", "  verbs devices --json"})
public final class DevicesCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Device> devices = Devices.list();
        if (json.isSet()) {
            out.println(Json.pretty(devices.stream().map(DevicesCommand::facts).toList()));
        } else {
            print(devices, out);
        }
        out.flush();
        if (devices.isEmpty()) {
            spec.commandLine().getErr().println(Host.current().absence());
        }
        return 0;
    }

    private static Map<String, Object> facts(Device device) {
        var facts = new LinkedHashMap<String, Object>();
        facts.put("device", device.name());
        facts.put("nodeGuid", String.format("%016x", device.nodeGuid()));
        facts.put("uverbs", device.uverbsName());
        facts.put("node", device.node());
        facts.put("nodeType", device.nodeType());
        facts.put("provider", device.providerName());
        facts.put("driverId", device.driverId());
        facts.put("netdev", device.networkInterface());
        var ports = new ArrayList<String>();
        for (int port = 1; port <= device.ports(); port++) {
            ports.add(portState(device, port));
        }
        facts.put("ports", ports);
        return facts;
    }

    private static void print(List<Device> devices, PrintWriter out) {
        println(out, "device", "   node GUID", "uverbs", "provider", "interface", "ports");
        println(out, "------", "----------------", "------", "--------", "---------", "-----");
        for (Device device : devices) {
            println(
                    out,
                    device.name(),
                    String.format("%016x", device.nodeGuid()),
                    device.uverbsName(),
                    device.providerName().orElse("-"),
                    device.networkInterface().orElse("-"),
                    portStates(device));
        }
    }

    private static void println(PrintWriter out, Object... columns) {
        out.println(String.format(Locale.ROOT, "    %-16s\t%-16s  %-10s %-10s %-16s %s", columns).stripTrailing());
    }

    private static String portStates(Device device) {
        var states = new ArrayList<String>();
        for (int port = 1; port <= device.ports(); port++) {
            states.add(port + ":" + portState(device, port));
        }
        return String.join(" ", states);
    }

    private static String portState(Device device, int port) {
        return Host.current().portState(device.name(), port).map(PortState::toString).orElse("?"); // it was removed meanwhile
    }
}
