// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Commands print what they printed when it was last checked by a reader: `outputs.txt`, beside this class
/// ([Recording]), send what they sent, and leave nothing open. Each runs on two simulated devices of its own, in this
/// process. Numbers that vary from run to run are left out.
///
/// Add a command as a line `$ COMMAND`, or `$ MACHINE: COMMAND` for a machine of [#MACHINES].
class RecordedOutputsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tests/tools/outputs.txt");
    private static final String COMMAND = "$ ";
    private static final List<String> DEVICES = List.of("rxe0", "rxe1");
    private static final List<String> VARYING_TRAFFIC = List.of("stream ", "rcopy ", "srq-pingpong ");
    private static final String RETRIES = " completer_retry_err=";
    private static final int MAX_TRIALS = 5;
    private static final long LONGEST_NANOS = 2_000_000_000L;

    /// Machines on which something is different, and what.
    private static final Map<String, Consumer<SimulatedHost>> MACHINES = Map.of(
            "across", host -> host.connectsAcrossTheWire(true),
            "bare", host -> host.addresses("veth0").forEach(host.find("rxe0").orElseThrow()::removeAddress),
            "down", host -> host.find("rxe1").orElseThrow().link(false),
            "empty", host -> DEVICES.forEach(host::removeDevice),
            "narrow", host -> {
                host.find("rxe0").orElseThrow().mtu(600);
                host.find("rxe1").orElseThrow().mtu(4200);
            },
            "old", _ -> {});

    /// What varies, and what stands for it.
    private static final Map<String, String> VARYING = new LinkedHashMap<>();

    static {
        VARYING.put("(\\bPSN|\\bpsn|\\bpid|\\bport|\"pid\":) (0x)?[0-9a-f]+", "$1 …");
        VARYING.put("(endpoint [0-9a-f]{6})/[0-9a-f]{6}", "$1/…");
        VARYING.put("Nanos\":\\d+", "Nanos\":…");
        VARYING.put("(\\buid ?= ?)0x[0-9a-f]+ *", "$1… ");
        VARYING.put("0x[0-9a-f]{6,}", "0x…");
        VARYING.put("^(\\| (time|verbs4j|Java|kernel|libibverbs|perftest):) .*", "$1 …");
        VARYING.put(" +\\d+\\.\\d ms", " … ms");
        VARYING.put(" *(?<![.\\d])\\d+\\.\\d{2,}(E-\\d+)?(?![.\\d])", " …");
    }

    /// Returns the recorded outputs by command.
    private static Map<String, List<String>> recorded() throws IOException {
        var recorded = new LinkedHashMap<String, List<String>>();
        List<String> lines = List.of();
        for (String line : Files.readAllLines(FILE)) {
            if (line.startsWith(COMMAND)) {
                lines = new ArrayList<>();
                recorded.put(line.substring(COMMAND.length()), lines);
            } else if (!line.startsWith("#")) {
                lines.add(line);
            }
        }
        return recorded;
    }

    /// Runs a command until it sends nothing again, as an end does that waits too long on a busy machine.
    private static List<String> run(String command) throws IOException {
        List<String> lines = List.of();
        for (int trial = 0; trial == 0 || (trial < MAX_TRIALS && lines.toString().contains(RETRIES)); trial++) {
            lines = runOnce(command);
        }
        return lines;
    }

    private static List<String> runOnce(String line) throws IOException {
        String machine = line.contains(": ") ? line.substring(0, line.indexOf(": ")) : "";
        String command = machine.isEmpty() ? line : line.substring(machine.length() + 2);
        Path file = Files.createTempFile("verbs4j-output", "");
        SimulatedHost host = SimulatedNetwork.inRealTime(1)
                .addHost("here", machine.equals("old") ? KernelProfile.LINUX_6_1 : KernelProfile.LINUX_7_2);
        DEVICES.forEach(host::addDevice);
        MACHINES.getOrDefault(machine, _ -> {}).accept(host);
        String port = freePort();
        try (Host.Replacement _ = Host.replaceCurrent(host)) {
            ToolRun run = ToolRun.of(command.replace("PORT", port).replace("FILE", file.toString()).split(" "));
            Comparator<String> order = command.startsWith("together")
                    ? Comparator.comparing(each -> each.isEmpty() ? "" : each.substring(0, 1))
                    : (_, _) -> 0;
            return Stream.of(
                    run.output().lines().sorted(order).map(each -> "| " + each),
                    run.error().lines().sorted(order).map(each -> "! " + each),
                    Files.readAllLines(file).stream().map(each -> "> " + each),
                    traffic(command, host).map(each -> "~ " + each),
                    left(host).stream().map(each -> "left open: " + each),
                    Stream.of("exit code " + run.exitCode()))
                    .flatMap(lines -> lines)
                    .map(each -> withoutNumbers(each.replace(port, "PORT").replace(file.toString(), "FILE")))
                    .filter(new Commands()::isOutside)
                    .toList();
        } finally {
            host.network().close();
            Files.delete(file);
        }
    }

    /// Returns what a command has sent and received, except streams and shared queues, whose packets depend on which
    /// end is faster.
    private static Stream<String> traffic(String command, SimulatedHost host) {
        return VARYING_TRAFFIC.stream().anyMatch(command::contains) ? Stream.of()
                : DEVICES.stream()
                        .map(device -> device + host.counters(device, 1)
                                .entrySet()
                                .stream()
                                .filter(counter -> counter.getValue() != 0)
                                .map(counter -> " " + counter.getKey() + "=" + counter.getValue())
                                .collect(Collectors.joining()))
                        .filter(line -> line.contains("="));
    }

    /// Returns what a command has not closed. A thread that takes events of the connection manager holds its file a
    /// moment longer than the channel is open.
    private static List<String> left(SimulatedHost host) {
        List<String> left = open(host);
        for (long start = System.nanoTime(); !left.isEmpty() && System.nanoTime() - start < LONGEST_NANOS;) {
            Thread.onSpinWait();
            left = open(host);
        }
        return left;
    }

    private static List<String> open(SimulatedHost host) {
        return Stream.concat(
                host.identifiers().stream(),
                DEVICES.stream()
                        .flatMap(name -> host.find(name).stream())
                        .flatMap(device -> Stream.concat(
                                device.objects().stream(),
                                device.contexts() == 0 ? Stream.of() : Stream.of(device.contexts() + " contexts"))))
                .toList();
    }

    /// Filters out the kernel commands between a program's steps, because their line breaks depend on measured times.
    private static final class Commands {
        private boolean inside;

        private boolean isOutside(String line) {
            inside = inside ? !line.equals("|") : line.startsWith("| -- Commands");
            return !inside;
        }
    }

    private static String withoutNumbers(String line) {
        String text = line;
        for (var varying : VARYING.entrySet()) {
            text = text.replaceAll(varying.getKey(), varying.getValue());
        }
        return text.stripTrailing();
    }

    private static String freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> commandsPrintWhatIsRecorded() throws IOException {
        Map<String, List<String>> recorded = recorded();
        assertThat(recorded).hasSizeGreaterThan(80);
        if (Recording.isWanted()) {
            record(recorded);
        }
        return recorded.entrySet()
                .stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(),
                        () -> compare(run(each.getKey()), each.getValue())));
    }

    /// Leaves out the traffic of a run that has sent something again in each trial.
    private static void compare(List<String> lines, List<String> recorded) {
        if (lines.toString().contains(RETRIES)) {
            assertThat(withoutTraffic(lines)).isEqualTo(withoutTraffic(recorded));
        } else {
            assertThat(lines).isEqualTo(recorded);
        }
    }

    private static List<String> withoutTraffic(List<String> lines) {
        return lines.stream().filter(line -> !line.startsWith("~ ")).toList();
    }

    private static void record(Map<String, List<String>> recorded) throws IOException {
        var lines = new ArrayList<String>();
        try (Stream<String> old = Files.lines(FILE)) {
            old.takeWhile(line -> line.startsWith("#")).forEach(lines::add);
        }
        for (String command : recorded.keySet()) {
            long start = System.nanoTime();
            lines.add(COMMAND + command);
            lines.addAll(run(command));
            System.out.printf("%5d ms %s%n", (System.nanoTime() - start) / 1_000_000, command);
        }
        Recording.write(FILE, lines);
    }
}
