// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The measuring command against itself.
@DeviceTest
@Needs.NoKernel
class PerfPairsIT {
    static Stream<Arguments> variants() {
        return Stream.concat(
                PerfEnd.TESTS.stream(),
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
        PerfEnd.measure(PerfEnd::ours, PerfEnd::ours, arguments, client -> PerfEnd.assertMeasured(client, expected));
    }

    /// A test of bandwidth measures half of its time.
    @ParameterizedTest
    @ValueSource(strings = {"send-lat -D 1", "send-bw -s 1024 -D 2", "write-bw -s 1024 -D 2", "read-lat -D 1"})
    void measuresForATime(String arguments) {
        PerfEnd.measure(PerfEnd::ours, PerfEnd::ours, arguments, client -> {
            assertThat(client.exitCode()).as(client::output).isZero();
            assertThat(PerfEnd.rows(client.output()))
                    .as(client::output)
                    .singleElement()
                    .satisfies(row -> assertThat(seconds(arguments, row.strip().split(" +"))).isBetween(0.5, 30.0))
                    .doesNotMatch(row -> row.matches(" \\d+ +(1000|5000) .*"), "as many messages as without a time");
        });
    }

    /// Each end ends its test by its own clock. The sender's clock may be late.
    @Test
    void aTimedReceiverEndsAfterTheSendersLastMessage() {
        PerfEnd.pair(PerfEnd::ours, "send-bw -s 1024 -D 2", PerfEnd::ours, "send-bw -s 1024 -D 1", (client, server) -> {
            assertThat(client.exitCode()).as(client::output).isZero();
            assertThat(server.exitCode()).as(server::output).isZero();
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
        int port = PerfEnd.nextPort();
        int portOfAll = PerfEnd.nextPort();
        try (
                PerfEnd server = PerfEnd.ours("send-bw -c UD -s 1024 -n 1000 -r 1", Rxe.RIGHT, port);
                PerfEnd serverOfAll = PerfEnd.ours("send-bw -c UD -a -n 1000 -r 1", Rxe.RIGHT, portOfAll)) {
            PerfEnd.awaitServer(port);
            PerfEnd.awaitServer(portOfAll);
            try (
                    PerfEnd client = PerfEnd.ours("send-bw -c UD -s 1024 -n 1000", Rxe.LEFT, port, PerfEnd.HOST);
                    PerfEnd clientOfAll = PerfEnd.ours("send-bw -c UD -a -n 1000", Rxe.LEFT, portOfAll, PerfEnd.HOST)) {
                assertThat(client.exitCode()).as(client::output).isZero();
                assertThat(server.exitCode()).as(server::output).isZero();
                assertThat(clientOfAll.exitCode()).as(clientOfAll::output).isEqualTo(1);
                assertThat(clientOfAll.output())
                        .containsAnyOf("the peer closed the connection", "the connection to the peer broke");
                assertThat(serverOfAll.exitCode()).as(serverOfAll::output).isEqualTo(1);
                assertThat(serverOfAll.output())
                        .contains("of 1000 messages of 2 bytes received", "one size at a time");
            }
            String[] columns = PerfEnd.rows(server.output()).getFirst().strip().split(" +");
            assertThat(server.output()).contains(columns[1] + " of 1000 messages received");
            double seconds = Integer.parseInt(columns[1]) / (Double.parseDouble(columns[4]) * 1e6);
            assertThat(seconds).as(server::output).isLessThan(5);
        }
    }

    @Test
    void jsonAndCsvAreForPrograms() {
        String arguments = "send-bw -s 512 -n 50";
        PerfEnd.pair(PerfEnd::ours, arguments + " --json", PerfEnd::ours, arguments + " --csv", (client, server) -> {
            assertThat(client.exitCode()).as(client::output).isZero();
            String read = ExternalProcess.of(
                    "python3", "-c",
                    "import json,sys; r=json.load(sys.stdin); print(r['test'], r['results'][0]['messages'])")
                    .input(client.output())
                    .run(PerfEnd.LIMIT)
                    .requireSuccess()
                    .output();
            assertThat(read.strip()).isEqualTo("send-bw 50");
            assertThat(server.output().lines())
                    .satisfiesExactly(
                            line -> assertThat(line).startsWith("bytes,iterations,"),
                            line -> assertThat(line).matches("512,50,0\\.000,[0-9.]+,MB/sec,[0-9.]+"));
        });
    }
}
