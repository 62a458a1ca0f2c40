// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Rxe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The RC ping-pong between our program and `ibv_rc_pingpong`, in all pairings, over the wire.
@DeviceTest
class PingPongIT {
    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(18_600);

    private static final List<String> SHORT_EXCHANGES = List.of(
            "-s 1 -n 100 -c",
            "-s 65536 -n 20 -c",
            "-s 4096 -r 1 -n 100 -c",
            "-s 4096 -r 1 -n 100 -c -e",
            "-s 4096 -m 512 -n 50 -c");
    private static final List<String> LONG_EXCHANGES = List.of("-s 128 -n 1000 -c", "-s 128 -n 1000 -c -e");

    static Stream<Arguments> everyPairing() {
        return Stream.concat(LONG_EXCHANGES.stream(), SHORT_EXCHANGES.stream())
                .flatMap(options -> Stream.of(
                        Arguments.of(Program.JAVA, Program.JAVA, options),
                        Arguments.of(Program.JAVA, Program.C, options),
                        Arguments.of(Program.C, Program.JAVA, options)));
    }

    /// One pair of processes of their own is enough, because Java processes take their time to start.
    static Stream<Arguments> ofProcesses() {
        return Stream.of(Arguments.of(Program.JAVA_PROCESS, Program.JAVA_PROCESS, LONG_EXCHANGES.getFirst()));
    }

    @ParameterizedTest(name = "client {0}, server {1}: {2}")
    @MethodSource({"everyPairing", "ofProcesses"})
    void exchangesEveryMessage(Program client, Program server, String options) {
        int port = NEXT_PORT.getAndIncrement();
        try (var serving = server.start(arguments(Rxe.RIGHT, port, options))) {
            Eventually.until(LIMIT, () -> isListening(port), serving::output);
            try (var asking = client.start(arguments(Rxe.LEFT, port, options) + " 10.9.0.2")) {
                assertReport(asking, "::ffff:10.9.0.1", "::ffff:10.9.0.2", options);
                assertReport(serving, "::ffff:10.9.0.2", "::ffff:10.9.0.1", options);
            }
        }
    }

    private static String arguments(String device, int port, String options) {
        return "-d " + device + " -g " + Rxe.IPV4_INDEX + " -p " + port + " " + options;
    }

    private static void assertReport(Program.Running program, String local, String remote, String options) {
        assertThat(program.exitCode(LIMIT)).as(program::output).isZero();
        int iterations = number(options, "-n ");
        String address = "address: +LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID ";
        assertThat(program.output().strip())
                .matches("(?s) *local " + address + local + "\n"
                        + "  remote " + address + remote + "\n"
                        + 2 * iterations * number(options, "-s ") + " bytes in [0-9.]+ seconds = [0-9.]+ Mbit/sec\n"
                        + iterations + " iters in [0-9.]+ seconds = [0-9.]+ usec/iter");
    }

    private static int number(String options, String name) {
        String behind = options.substring(options.indexOf(name) + name.length());
        return Integer.parseInt(behind.split(" ")[0]);
    }

    /// Whether a socket is in state LISTEN (0A) on the port.
    private static boolean isListening(int port) {
        String pattern = "(?s).*:%04X [0-9A-F:]+ 0A .*".formatted(port);
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .map(Path::of)
                .filter(Files::exists)
                .flatMap(PingPongIT::lines)
                .anyMatch(line -> line.matches(pattern));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
