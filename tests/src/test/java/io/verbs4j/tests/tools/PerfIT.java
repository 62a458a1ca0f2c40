// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The measuring command against the programs of perftest, over the wire.
@DeviceTest
@RealKernel("processes that share devices")
@Needs.OneKernel
class PerfIT {
    private static final String ALL_SIZES = "write-bw -a -n 5";

    static Stream<String> everyTest() {
        return PerfEnd.TESTS.stream();
    }

    @ParameterizedTest
    @MethodSource("everyTest")
    void ourClientMeasuresWithAServerInC(String arguments) {
        PerfEnd.measure(PerfEnd::ours, PerfEnd::theirs, arguments, client -> PerfEnd.assertMeasured(client, arguments));
    }

    @ParameterizedTest
    @MethodSource("everyTest")
    @Needs.LongRun("eight programs in C; the other direction runs by default")
    void aClientInCMeasuresWithOurServer(String arguments) {
        PerfEnd.measure(PerfEnd::theirs, PerfEnd::ours, arguments, client -> PerfEnd.assertMeasured(client, arguments));
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
        PerfEnd.measure(PerfEnd::ours, PerfEnd::theirs, arguments, PerfIT::assertVariant);
    }

    @ParameterizedTest
    @MethodSource("variantsWithC")
    @Needs.LongRun("a pair of programs for each variant")
    void ourServerKnowsCsVariants(String arguments) {
        PerfEnd.measure(PerfEnd::theirs, PerfEnd::ours, arguments, PerfIT::assertVariant);
    }

    /// One row, and something in it that is not 0.
    private static void assertVariant(PerfEnd end) {
        assertThat(end.exitCode()).as(end::output).isZero();
        assertThat(PerfEnd.rows(end.output()))
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
        PerfEnd.measure(PerfEnd::ours, PerfEnd::theirs, ALL_SIZES, PerfIT::assertAllSizes);
        if (Long.getLong("walks.minutes", 0) > 0) {
            PerfEnd.measure(PerfEnd::theirs, PerfEnd::ours, ALL_SIZES, PerfIT::assertAllSizes);
        }
    }

    private static void assertAllSizes(PerfEnd end) {
        assertThat(end.exitCode()).as(end::output).isZero();
        List<Integer> sizes = IntStream.rangeClosed(1, 23).mapToObj(power -> 1 << power).toList();
        assertThat(PerfEnd.rows(end.output()))
                .as(end::output)
                .extracting(row -> Integer.valueOf(row.strip().split(" ")[0]))
                .isEqualTo(sizes);
    }

    @Test
    void anAbsentServerIsNamed() {
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-p", "18999", PerfEnd.HOST)
                .requireFailure(1, "cannot connect to 127.0.0.1:18999", "start the server there first");
    }

    @Test
    void whatCannotBeIsRefusedBeforeThePeerIsAsked() {
        ToolRun.of("perf", "send-lat", "-d", "rxe9", PerfEnd.HOST).requireFailure(1, "rxe9", "only rxe0, rxe1");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-i", "3", PerfEnd.HOST).requireFailure(1, "has no port 3");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-x", "77", PerfEnd.HOST)
                .requireFailure(1, "no GID at index 77");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-m", "4096", PerfEnd.HOST)
                .requireFailure(1, "larger than the active MTU");
        ToolRun.of("perf", "send-lat", "-d", Rxe.LEFT, "-I", "100000", PerfEnd.HOST)
                .requireFailure(1, "has no room for 100000 bytes inline", "-I");
        ToolRun.of("perf", "write-bw", "-d", Rxe.LEFT, "-s", "2147483640", PerfEnd.HOST)
                .requireFailure(1, "set a smaller size with -s");
        ToolRun.of("perf", "send-bw", "-d", Rxe.LEFT, "-n", "100000000", "-r", "100000000", PerfEnd.HOST)
                .requireFailure(1, "receives exceed the limit of a queue pair of rxe0", "-t or -r");
    }

    @Test
    void aServerThatDiesIsNoticed() {
        PerfEnd.pair(PerfEnd::ours, "write-bw -s 1024 -D 30", PerfEnd::theirs, "write-bw -s 1024 -n 200",
                (client, server) -> {
                    awaitTraffic();
                    server.kill();
                    assertThat(client.exitCode()).as(client::output).isEqualTo(1);
                    assertThat(client.output()).contains("transport retry counter exceeded", "likely cause");
                });
    }

    /// Waits until a client sends many messages.
    private static void awaitTraffic() {
        long before = Rxe.sentPackets();
        Eventually.until(PerfEnd.LIMIT, () -> Rxe.sentPackets() > before + 200, () -> Rxe.sentPackets() + " packets");
    }
}
