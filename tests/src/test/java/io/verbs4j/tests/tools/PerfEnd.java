// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import io.verbs4j.tests.support.ToolRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// An end of a performance test: `perf` in a thread, or a program of perftest.
sealed interface PerfEnd extends AutoCloseable {
    /// Of the conversation by TCP. The messages pass between the two devices.
    String HOST = "127.0.0.1";
    Duration LIMIT = Duration.ofSeconds(100);
    AtomicInteger NEXT_PORT = new AtomicInteger(19_000);

    List<String> TESTS = List.of(
            "send-lat -s 64 -n 100",
            "send-bw -s 4096 -n 200",
            "write-lat -s 64 -n 100",
            "write-bw -s 4096 -n 200",
            "read-lat -s 64 -n 100",
            "read-bw -s 4096 -n 200",
            "atomic-lat -n 100",
            "atomic-bw -n 200");

    int exitCode();

    String output();

    /// Ends it in the middle.
    void kill();

    @Override
    default void close() {
        kill();
    }

    static int nextPort() {
        return NEXT_PORT.getAndIncrement();
    }

    record OurEnd(InThread.Started<ToolRun> run) implements PerfEnd {
        @Override
        public int exitCode() {
            return result().exitCode();
        }

        @Override
        public String output() {
            return result().output() + result().error();
        }

        private ToolRun result() {
            try {
                return run.result(LIMIT);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void kill() {
            run.interrupt();
        }
    }

    record CEnd(ExternalProcess.Running process) implements PerfEnd {
        @Override
        public int exitCode() {
            return process.await(LIMIT).exitCode();
        }

        @Override
        public String output() {
            return process.output();
        }

        @Override
        public void kill() {
            process.close();
        }
    }

    static PerfEnd ours(String arguments, String device, int port, String... host) {
        var command = new ArrayList<>(List.of("perf"));
        command.addAll(List.of(arguments.split(" ")));
        command.addAll(List.of("-d", device, "-p", Integer.toString(port)));
        command.addAll(List.of(host));
        return new OurEnd(InThread.PLATFORM.start(() -> ToolRun.of(command.toArray(String[]::new))));
    }

    static PerfEnd theirs(String arguments, String device, int port, String... host) {
        List<String> words = List.of(arguments.split(" "));
        // Into a file C writes whole buffers otherwise.
        var command = new ArrayList<>(List.of("stdbuf", "-oL", "ib_" + words.getFirst().replace('-', '_')));
        command.addAll(words.subList(1, words.size()));
        command.addAll(List.of("-d", device, "-x", "1", "-F", "-p", Integer.toString(port)));
        command.addAll(List.of(host));
        return new CEnd(ExternalProcess.of(command).start());
    }

    static void awaitServer(int port) {
        Eventually.until(LIMIT, () -> TcpPorts.isListening(port), () -> "no server on port " + port);
    }

    /// Returns the rows of the table: lines of numbers, beginning with a size. C prints a deviation as `-nan` if
    /// rounding has made its square negative.
    static List<String> rows(String output) {
        return output.lines().filter(line -> line.matches(" \\d+ +\\d+ +([-0-9. \\t]|nan)+")).toList();
    }

    static void assertMeasured(PerfEnd end, String arguments) {
        assertThat(end.exitCode()).as(end::output).isZero();
        var iterations = Pattern.compile(".*-n (\\d+).*").matcher(arguments);
        assertThat(iterations.matches()).isTrue();
        assertThat(rows(end.output()))
                .as(end::output)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).matches(" \\d+ +" + iterations.group(1) + " .*[1-9].*"));
    }

    @FunctionalInterface
    interface Starter {
        PerfEnd start(String arguments, String device, int port, String... host);
    }

    /// Plays one test to its end, and has the client looked at.
    static void measure(Starter client, Starter server, String arguments, Consumer<PerfEnd> assertClient) {
        pair(client, arguments, server, arguments, (left, right) -> {
            assertClient.accept(left);
            assertThat(right.exitCode()).as(right::output).isZero();
        });
    }

    /// Starts a server and its client, which have options of their own, and has both looked at, first the client.
    static void pair(
            Starter client, String ofClient, Starter server, String ofServer, BiConsumer<PerfEnd, PerfEnd> look) {
        int port = nextPort();
        try (PerfEnd right = server.start(ofServer, Rxe.RIGHT, port)) {
            awaitServer(port);
            try (PerfEnd left = client.start(ofClient, Rxe.LEFT, port, HOST)) {
                look.accept(left, right);
            }
        }
    }
}
