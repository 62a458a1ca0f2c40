// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import io.verbs4j.tests.support.ToolRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The measuring command against itself and against the programs of perftest, over the wire.
@DeviceTest
@RealKernel("processes that share devices")
@Needs.OneKernel
class PerfIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(19_000);

    private static final List<String> TESTS = List.of(
            "send-lat -s 64 -n 100",
            "send-bw -s 4096 -n 200",
            "write-lat -s 64 -n 100",
            "write-bw -s 4096 -n 200",
            "read-lat -s 64 -n 100",
            "read-bw -s 4096 -n 200",
            "atomic-lat -n 100",
            "atomic-bw -n 200");

    private static final String ALL_SIZES = "write-bw -a -n 5";

    /// Either end of a test, ours or that of perftest.
    private sealed interface End extends AutoCloseable {
        int exitCode();

        String output();

        /// Ends it in the middle.
        void kill();

        @Override
        default void close() {
            kill();
        }
    }

    private record OurEnd(InThread.Started<ToolRun> run) implements End {
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

    private record CEnd(ExternalProcess.Running process) implements End {
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

    private static End ours(String arguments, String device, int port, String... host) {
        var command = new ArrayList<>(List.of("perf"));
        command.addAll(List.of(arguments.split(" ")));
        command.addAll(List.of("-d", device, "-p", Integer.toString(port)));
        command.addAll(List.of(host));
        return new OurEnd(InThread.PLATFORM.start(() -> ToolRun.of(command.toArray(String[]::new))));
    }

    private static End theirs(String arguments, String device, int port, String... host) {
        List<String> words = List.of(arguments.split(" "));
        // Into a file C writes whole buffers otherwise.
        var command = new ArrayList<>(List.of("stdbuf", "-oL", "ib_" + words.getFirst().replace('-', '_')));
        command.addAll(words.subList(1, words.size()));
        command.addAll(List.of("-d", device, "-x", "1", "-F", "-p", Integer.toString(port)));
        command.addAll(List.of(host));
        return new CEnd(ExternalProcess.of(command).start());
    }

    private static void awaitServer(int port) {
        Eventually.until(LIMIT, () -> TcpPorts.isListening(port), () -> "no server on port " + port);
    }

    /// Returns the rows of the table: lines of numbers, beginning with a size. C prints a deviation as `-nan` if
    /// rounding has made its square negative.
    private static List<String> rows(String output) {
        return output.lines().filter(line -> line.matches(" \\d+ +\\d+ +([-0-9. \\t]|nan)+")).toList();
    }

    private static void assertMeasured(End end, String arguments) {
        assertThat(end.exitCode()).as(end::output).isZero();
        var iterations = Pattern.compile(".*-n (\\d+).*").matcher(arguments);
        assertThat(iterations.matches()).isTrue();
        assertThat(rows(end.output()))
                .as(end::output)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).matches(" \\d+ +" + iterations.group(1) + " .*[1-9].*"));
    }

    @FunctionalInterface
    private interface Starter {
        End start(String arguments, String device, int port, String... host);
    }

    /// Plays one test to its end, and has the client looked at.
    private static void measure(Starter client, Starter server, String arguments, Consumer<End> assertClient) {
        int port = NEXT_PORT.getAndIncrement();
        try (End right = server.start(arguments, Rxe.RIGHT, port)) {
            awaitServer(port);
            try (End left = client.start(arguments, Rxe.LEFT, port, "10.9.0.2")) {
                assertClient.accept(left);
                assertThat(right.exitCode()).as(right::output).isZero();
            }
        }
    }

    static Stream<String> everyTest() {
        return TESTS.stream();
    }

    @ParameterizedTest
    @MethodSource("everyTest")
    void ourClientMeasuresWithAServerInC(String arguments) {
        measure(PerfIT::ours, PerfIT::theirs, arguments, client -> assertMeasured(client, arguments));
    }

    @ParameterizedTest
    @MethodSource("everyTest")
    @Needs.LongRun("eight programs in C; the other direction runs by default")
    void aClientInCMeasuresWithOurServer(String arguments) {
        measure(PerfIT::theirs, PerfIT::ours, arguments, client -> assertMeasured(client, arguments));
    }

    /// Returns what changes the conversation or the queue pairs, not only the loop.
    static Stream<String> variantsWithC() {
        return Stream.of(
                "send-lat -c UC -s 64 -n 50",
                "send-bw -c UD -s 1024 -n 50",
                "send-bw -b -s 1024 -n 50",
                "write-bw -q 4 -s 1024 -n 50",
                "write-bw -N -s 1024 -n 50",
                "write-bw -D 1 -s 1024");
    }

    @ParameterizedTest
    @MethodSource("variantsWithC")
    @Needs.LongRun("a pair of programs for each variant")
    void ourClientKnowsCsVariants(String arguments) {
        measure(PerfIT::ours, PerfIT::theirs, arguments, PerfIT::assertVariant);
    }

    @ParameterizedTest
    @MethodSource("variantsWithC")
    @Needs.LongRun("a pair of programs for each variant")
    void ourServerKnowsCsVariants(String arguments) {
        measure(PerfIT::theirs, PerfIT::ours, arguments, PerfIT::assertVariant);
    }

    /// One row, and something in it that is not 0.
    private static void assertVariant(End end) {
        assertThat(end.exitCode()).as(end::output).isZero();
        assertThat(rows(end.output()))
                .as(end::output)
                .singleElement()
                .satisfies(row -> assertThat(row).matches(" \\d+ +[1-9]\\d* .*[1-9].*"));
    }

    /// Tests each size from 2 bytes to 8 MiB; each is one row and a new round of the conversation. The opposite
    /// direction is tested only in the long form (system property `walks.minutes`), because the messages amount to 80
    /// MB in each direction.
    @Test
    @Needs.LongRun("23 sizes, up to 8 MiB")
    void allSizesAreMeasuredWithC() {
        measure(PerfIT::ours, PerfIT::theirs, ALL_SIZES, PerfIT::assertAllSizes);
        if (Long.getLong("walks.minutes", 0) > 0) {
            measure(PerfIT::theirs, PerfIT::ours, ALL_SIZES, PerfIT::assertAllSizes);
        }
    }

    private static void assertAllSizes(End end) {
        assertThat(end.exitCode()).as(end::output).isZero();
        List<Integer> sizes = IntStream.rangeClosed(1, 23).mapToObj(power -> 1 << power).toList();
        assertThat(rows(end.output()))
                .as(end::output)
                .extracting(row -> Integer.valueOf(row.strip().split(" ")[0]))
                .isEqualTo(sizes);
    }

    static Stream<Arguments> variants() {
        return Stream.concat(
                TESTS.stream(),
                Stream.of(
                        "send-lat -c UC -s 64 -n 100",
                        "send-lat -c UD -s 64 -n 100",
                        "send-lat -e -s 64 -n 100",
                        "send-lat -I 64 -s 64 -n 100 --warm-up 20",
                        "send-bw -c UD -s 1024 -n 100",
                        "send-bw -b -s 1024 -n 100",
                        "send-bw -e -s 1024 -n 100",
                        "send-bw -q 3 -l 10 -s 1024 -n 100 -m 512",
                        "write-bw -q 4 -t 16 -Q 8 -s 1024 -n 100",
                        "write-bw -b -l 5 -s 1024 -n 100",
                        "write-lat -c UC -s 64 -n 100 --warm-up 20",
                        "read-bw -q 2 -s 1024 -n 100 --warm-up 50"))
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("variants")
    void bothEndsAreOurs(String arguments) {
        String pairs = arguments.contains("-q ") ? arguments.replaceAll(".*-q (\\d+).*", "$1") : "1";
        String counted = arguments.replaceAll("-n (\\d+)", "-n " + 100 * Integer.parseInt(pairs));
        String expected = arguments.contains("-n 200") ? arguments : counted;
        measure(PerfIT::ours, PerfIT::ours, arguments, client -> assertMeasured(client, expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat -D 1", "send-bw -s 1024 -D 1", "write-bw -s 1024 -D 1", "read-lat -D 1"})
    void measuresForATime(String arguments) {
        measure(PerfIT::ours, PerfIT::ours, arguments, client -> {
            assertThat(client.exitCode()).as(client::output).isZero();
            assertThat(rows(client.output()))
                    .as(client::output)
                    .singleElement()
                    .satisfies(row -> assertThat(seconds(arguments, row.strip().split(" +"))).isBetween(0.5, 30.0))
                    .doesNotMatch(row -> row.matches(" \\d+ +(1000|5000) .*"), "as many messages as without a time");
        });
    }

    /// Returns the total time of the messages. A latency row contains the average, two of which make a round trip. A
    /// bandwidth row contains millions of messages per second.
    private static double seconds(String arguments, String[] columns) {
        double messages = Double.parseDouble(columns[1]);
        return arguments.contains("-bw")
                ? messages / (1e6 * Double.parseDouble(columns[4]))
                : messages * Double.parseDouble(columns[5]) / 1e6 * (arguments.startsWith("send") ? 2 : 1);
    }

    /// One receive for messages sent at full speed: most find none and are lost. Two tests run concurrently, because a
    /// receiver waits some seconds for lost messages.
    @Test
    void aLossIsReportedWithoutTheWaitForItAndEndsATestOfAllSizes() {
        int port = NEXT_PORT.getAndIncrement();
        int portOfAll = NEXT_PORT.getAndIncrement();
        try (
                End server = ours("send-bw -c UD -s 1024 -n 1000 -r 1", Rxe.RIGHT, port);
                End serverOfAll = ours("send-bw -c UD -a -n 1000 -r 1", Rxe.RIGHT, portOfAll)) {
            awaitServer(port);
            awaitServer(portOfAll);
            try (
                    End client = ours("send-bw -c UD -s 1024 -n 1000", Rxe.LEFT, port, "10.9.0.2");
                    End clientOfAll = ours("send-bw -c UD -a -n 1000", Rxe.LEFT, portOfAll, "10.9.0.2")) {
                assertThat(client.exitCode()).as(client::output).isZero();
                assertThat(server.exitCode()).as(server::output).isZero();
                assertThat(clientOfAll.exitCode()).as(clientOfAll::output).isEqualTo(1);
                assertThat(clientOfAll.output())
                        .containsAnyOf("the peer closed the connection", "the conversation with the peer broke");
                assertThat(serverOfAll.exitCode()).as(serverOfAll::output).isEqualTo(1);
                assertThat(serverOfAll.output())
                        .contains("of 1000 messages of 2 bytes received", "one size at a time");
            }
            String[] columns = rows(server.output()).getFirst().strip().split(" +");
            assertThat(server.output()).contains(columns[1] + " of 1000 messages received");
            double seconds = Integer.parseInt(columns[1]) / (Double.parseDouble(columns[4]) * 1e6);
            assertThat(seconds).as(server::output).isLessThan(5);
        }
    }

    @Test
    void jsonAndCsvAreForPrograms() {
        int port = NEXT_PORT.getAndIncrement();
        try (End server = ours("send-bw -s 512 -n 50 --csv", Rxe.RIGHT, port)) {
            awaitServer(port);
            try (End client = ours("send-bw -s 512 -n 50 --json", Rxe.LEFT, port, "10.9.0.2")) {
                assertThat(client.exitCode()).as(client::output).isZero();
                String read = ExternalProcess.of(
                        "python3", "-c",
                        "import json,sys; r=json.load(sys.stdin); print(r['test'], r['results'][0]['messages'])")
                        .input(client.output())
                        .run(LIMIT)
                        .requireSuccess()
                        .output();
                assertThat(read.strip()).isEqualTo("send-bw 50");
                assertThat(server.output().lines())
                        .satisfiesExactly(
                                line -> assertThat(line).startsWith("bytes,iterations,"),
                                line -> assertThat(line).matches("512,50,0\\.000,[0-9.]+,MB/sec,[0-9.]+"));
            }
        }
    }

    @Test
    void anAbsentServerIsNamed() {
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-p", "18999", "10.9.0.2")
                .requireFailure(1, "cannot connect to 10.9.0.2:18999", "start the server there first");
    }

    @Test
    void whatCannotBeIsRefusedBeforeThePeerIsAsked() {
        ToolRun.of("perf", "send-lat", "-d", "rxe9", "10.9.0.2").requireFailure(1, "rxe9", "there are rxe0, rxe1");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-i", "3", "10.9.0.2").requireFailure(1, "has no port 3");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-x", "77", "10.9.0.2").requireFailure(1, "no GID at index 77");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-m", "4096", "10.9.0.2")
                .requireFailure(1, "larger than the active MTU");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-I", "100000", "10.9.0.2")
                .requireFailure(1, "has no room for 100000 bytes inline", "-I");
        ToolRun.of("perf", "write-bw", "-d", Rxe.LEFT, "-s", "2147483640", "10.9.0.2")
                .requireFailure(1, "ask for less with -s");
        ToolRun.of("perf", "send-bw", "-d", Rxe.LEFT, "-n", "100000000", "-r", "100000000", "10.9.0.2")
                .requireFailure(1, "receives are more than a queue pair of rxe0 holds", "-t or -r");
    }

    @Test
    void aServerThatDiesIsNoticed() {
        int port = NEXT_PORT.getAndIncrement();
        try (End server = theirs("write-bw -s 1024 -n 200", Rxe.RIGHT, port)) {
            awaitServer(port);
            try (End client = ours("write-bw -s 1024 -D 30", Rxe.LEFT, port, "10.9.0.2")) {
                awaitTraffic();
                server.kill();
                assertThat(client.exitCode()).as(client::output).isEqualTo(1);
                assertThat(client.output()).contains("transport retry counter exceeded", "likely cause");
            }
        }
    }

    /// Waits until a client sends many messages.
    private static void awaitTraffic() {
        long before = Rxe.sentPackets();
        Eventually.until(LIMIT, () -> Rxe.sentPackets() > before + 200, () -> Rxe.sentPackets() + " packets");
    }
}
