// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.discovery.Absence;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.CommandRunner;
import io.verbs4j.tools.common.Finding;
import io.verbs4j.tools.common.Findings;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.Severity;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.doctor.acceptance.Acceptance;
import io.verbs4j.types.VerbsException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// `verbs doctor`.
@Command(
        name = "doctor",
        header = "Find problems that keep RDMA from working on this machine.",
        description = {
                "%nChecks kernel modules, devices, their nodes, permissions, ports, GIDs and MTU, and sends a message"
                        + " through each port. Also checks the limit of locked memory, UDP port 4791, the firewall,"
                        + " network namespaces, conflicting devices, the connection manager, the route to a peer,"
                        + " and known defects of this kernel. Prints a remedy for each problem. Changes nothing.%n"
        },
        exitCodeList = {"3:there are warnings",
                "4:there are errors: RDMA does not work, or a check of --acceptance failed"},
        footer = {
                "%nExamples:",
                "  verbs doctor                     everything",
                "  verbs doctor -q                  only warnings and errors",
                "  verbs doctor --memory 1G         also check that a program can register 1 GiB",
                "  verbs doctor --peer 10.9.0.2     also resolve the address of a peer",
                "  verbs doctor --acceptance rxe0   check all features of a device, and write a report"
        })
public final class DoctorCommand implements Callable<Integer> {
    /// Any port, because no program is contacted.
    private static final int PORT = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "<device>",
            description = "Check only this device.") private @Nullable String device;

    @Option(
            names = {"-m", "--memory"},
            paramLabel = "<bytes>",
            converter = Size.class,
            description = "Memory that programs want to register; K, M and G may follow (default: 64M).") private long memory =
                    64L << 20;

    @Option(
            names = "--peer",
            paramLabel = "<address>",
            description = "Resolve this peer's address, as a connection by IP address does.") private @Nullable String peer;

    @Option(
            names = {"-q", "--quiet"},
            description = "Show only warnings and errors.") private boolean quiet;

    @Option(
            names = "--acceptance",
            paramLabel = "<device>",
            description = "Test this device instead: run a list of operations, provoke failures, compare results with"
                    + " C programs, and write a report. Leaves no lasting changes.") private @Nullable String acceptance;

    @Option(
            names = "--report",
            paramLabel = "<file>",
            description = "The file for the report of --acceptance (default: acceptance-<device>.txt).") private @Nullable Path report;

    @Mixin private final JsonOption json = new JsonOption();

    private final CommandRunner commands;

    /// @param commands runs other commands of the command line
    public DoctorCommand(CommandRunner commands) {
        this.commands = commands;
    }

    /// Reads a size such as `64M`.
    static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            int shift = text.isEmpty() ? -1 : "KMG".indexOf(Character.toUpperCase(text.charAt(text.length() - 1)));
            try {
                long number = Long.parseLong(shift < 0 ? text : text.substring(0, text.length() - 1));
                long bytes = Math.multiplyExact(number, 1L << (10 * (shift + 1)));
                if (bytes > 0) {
                    return bytes;
                }
            } catch (NumberFormatException | ArithmeticException e) {
                // reported below
            }
            throw new TypeConversionException("'" + text + "' is not a size such as 65536, 64K, 16M or 1G");
        }
    }

    @Override
    public Integer call() {
        if (acceptance != null) {
            requireAlone();
            Path file = report == null ? Path.of("acceptance-" + acceptance + ".txt") : report;
            return Acceptance.run(Devices.find(acceptance), file, spec.commandLine().getOut(), commands);
        }
        if (report != null) {
            throw new ParameterException(spec.commandLine(), "--report requires --acceptance");
        }
        var findings = new Findings();
        examine(findings);
        List<Finding> shown = findings.all()
                .stream()
                .filter(finding -> !quiet || finding.severity().compareTo(Severity.WARNING) >= 0)
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        if (json.isSet()) {
            out.println(Json.pretty(shown));
        } else {
            Findings.print(shown, out, spec.commandLine().getColorScheme().ansi());
        }
        out.flush();
        return findings.worst().exitCode();
    }

    /// Refuses options that `--acceptance` would ignore.
    private void requireAlone() {
        for (String option : List.of("--json", "--quiet", "--ib-dev", "--peer", "--memory")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new ParameterException(spec.commandLine(), option + " and --acceptance cannot be combined");
            }
        }
    }

    private void examine(Findings findings) {
        Host host = Host.current();
        if (host.isOperatingSystem()) {
            new KernelChecks(SystemFiles.RUNNING, System.getProperty("os.version")).run(findings);
        } else {
            findings.ok("machine", "simulated devices of this process; the system is not checked");
        }
        List<Device> devices = device == null ? listed(host, findings) : List.of(Devices.find(device));
        devices.forEach(each -> new DeviceChecks(each, findings).run());
        if (host.isOperatingSystem()) {
            new MemoryCheck(SystemFiles.RUNNING).run(memory, findings);
            new NetworkChecks(SystemFiles.RUNNING, Programs::output).run(devices, findings);
        }
        new ConnectionChecks(SystemFiles.RUNNING).run(peerAddress(findings), findings);
    }

    /// Returns the peer's address; null if no peer is set, or if its name is unknown, which is an error.
    private @Nullable InetSocketAddress peerAddress(Findings findings) {
        try {
            return peer == null ? null : Hosts.resolve(peer, PORT);
        } catch (ToolException e) {
            findings.error("peer " + peer, String.valueOf(e.getMessage()), "check the name, or give an address");
            return null;
        }
    }

    private static List<Device> listed(Host host, Findings findings) {
        try {
            List<Device> devices = Devices.list();
            if (devices.isEmpty()) {
                Absence absence = host.absence();
                findings.error("devices", absence.reason(), absence.remedy());
            }
            return devices;
        } catch (VerbsException e) {
            findings.error("devices", String.valueOf(e.getMessage()),
                    "remove this cause; the doctor has checked no device");
            return List.of();
        }
    }
}
