// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/// A ping-pong over the wire between two programs, from their start to the comparison of what they printed.
///
/// @param command our command, such as `rc-pingpong`
/// @param addressLines the lines with a program's addresses: a regular expression with `%1$s` for its own GID and
///     `%2$s` for the peer's
record PingPongComparison(String command, String addressLines) {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(18_600);

    static final String ADDRESS = "address: +LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}";

    /// Most games show one address of each end.
    PingPongComparison(String command) {
        this(command, " *local " + ADDRESS + "[,:] GID %1$s\n  remote " + ADDRESS + ", GID %2$s\n");
    }

    /// Each game between our program and itself, and both ways with the one of C.
    static Stream<Arguments> everyPairing(List<String> games) {
        return games.stream()
                .flatMap(options -> Stream.of(
                        Arguments.of(Program.JAVA, Program.JAVA, options),
                        Arguments.of(Program.JAVA, Program.C, options),
                        Arguments.of(Program.C, Program.JAVA, options)));
    }

    /// Plays, and looks at both reports.
    void play(Program client, Program server, String options) {
        int port = NEXT_PORT.getAndIncrement();
        try (var serving = server.start(command, arguments(Rxe.RIGHT, port, options))) {
            Eventually.until(LIMIT, () -> TcpPorts.isListening(port), serving::output);
            try (var asking = client.start(command, arguments(Rxe.LEFT, port, options) + " 10.9.0.2")) {
                assertReport(asking, "::ffff:10.9.0.1", "::ffff:10.9.0.2", options);
                assertReport(serving, "::ffff:10.9.0.2", "::ffff:10.9.0.1", options);
            }
        }
    }

    private static String arguments(String device, int port, String options) {
        return "-d " + device + " -g " + Rxe.IPV4_INDEX + " -p " + port + " " + options;
    }

    private void assertReport(Program.Running program, String local, String remote, String options) {
        assertThat(program.exitCode(LIMIT)).as(program::output).isZero();
        int iterations = number(options, "-n ");
        assertThat(program.output().strip())
                .matches("(?s)" + addressLines.formatted(local, remote)
                        + 2 * iterations * number(options, "-s ") + " bytes in [0-9.]+ seconds = [0-9.]+ Mbit/sec\n"
                        + iterations + " iters in [0-9.]+ seconds = [0-9.]+ usec/iter");
    }

    private static int number(String options, String name) {
        String behind = options.substring(options.indexOf(name) + name.length());
        return Integer.parseInt(behind.split(" ")[0]);
    }
}
