// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.KernelProfile;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Commands print what they printed when it was last checked by a reader: `outputs.txt`, beside this class
/// ([Recording]). Each runs on two simulated devices of its own, in this process. Numbers that vary from run to run are
/// left out.
///
/// Add a command as a line `$ COMMAND`.
class RecordedOutputsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tests/tools/outputs.txt");
    private static final String COMMAND = "$ ";

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
        VARYING.put(" *(?<![.\\d])\\d+\\.\\d{2,}(?![.\\d])", " …");
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

    private static List<String> run(String command) throws IOException {
        Path file = Files.createTempFile("verbs4j-output", "");
        SimulatedHost host = SimulatedNetwork.inRealTime(1).addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        host.addDevice("rxe1");
        String port = freePort();
        try (Host.Replacement _ = Host.replaceCurrent(host)) {
            ToolRun run = ToolRun.of(command.replace("PORT", port).replace("FILE", file.toString()).split(" "));
            Comparator<String> order = command.startsWith("together")
                    ? Comparator.comparing(line -> line.isEmpty() ? "" : line.substring(0, 1))
                    : (_, _) -> 0;
            return Stream.of(
                    run.output().lines().sorted(order).map(line -> "| " + line),
                    run.error().lines().sorted(order).map(line -> "! " + line),
                    Files.readAllLines(file).stream().map(line -> "> " + line),
                    Stream.of("exit code " + run.exitCode()))
                    .flatMap(lines -> lines)
                    .map(line -> withoutNumbers(line.replace(port, "PORT").replace(file.toString(), "FILE")))
                    .filter(new Commands()::isOutside)
                    .toList();
        } finally {
            host.network().close();
            Files.delete(file);
        }
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
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey(), () -> assertThat(run(each.getKey())).isEqualTo(each.getValue())));
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
