// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.ExternalProcess.Running;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import io.verbs4j.tests.support.ToolRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Running commands whose peer dies, or whose user presses Ctrl-C. They end soon, report the reason, and leave no
/// objects in the kernel. Several run concurrently, because a Java process takes long to start.
@DeviceTest
@RealKernel("processes, and interfaces that iproute2 changes")
@Needs.OneKernel
class DisturbedCommandsIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    /// The 30 s after which we give up on a silent peer, and what a busy machine adds.
    private static final Duration NOTICED = Duration.ofSeconds(45);
    private static final long QUIET_NANOS = 100_000_000;
    private static final int GAME_PORT = 19_501;
    private static final int TEST_PORT = 19_502;
    private static final int SERVED_PORT = 19_503;
    /// By events: an end that polls would keep a processor from the programs that start beside it.
    private static final String GAME = "-e -n 1000000 -g " + Rxe.IPV4_INDEX + " -p " + GAME_PORT;
    private static final String TEST = "-n 1000000 -s 64 -x " + Rxe.IPV4_INDEX + " -p " + TEST_PORT;

    private static Running verbs(String arguments) {
        var command = new ArrayList<>(List.of(Repository.tool("verbs").toString()));
        command.addAll(List.of(arguments.split(" ")));
        return ExternalProcess.of(command).start();
    }

    private static Running c(String command) {
        return ExternalProcess.of(command.split(" ")).start();
    }

    private static Running gameOfC() {
        return c("ibv_rc_pingpong -d " + Rxe.LEFT + " " + GAME + " 10.9.0.2");
    }

    private static void awaitServer(int port) {
        Eventually.until(LIMIT, () -> TcpPorts.isListening(port), () -> "no server on port " + port);
    }

    /// Waits until two ends exchange messages.
    private static void awaitTraffic(Running program) {
        long before = Rxe.sentPackets();
        Eventually.until(LIMIT, () -> Rxe.sentPackets() > before + 200, program::output);
    }

    /// Stops our end and, when the peer has sent its message and waits for ours, kills the peer.
    private static void killThePeerInOurTurn(Running ours, Running peer) {
        ours.signal("STOP");
        Eventually.until(LIMIT, () -> {
            long before = Rxe.sentPackets();
            LockSupport.parkNanos(QUIET_NANOS);
            return Rxe.sentPackets() == before;
        }, ours::output);
        peer.signal("KILL");
        peer.await(LIMIT);
    }

    private static List<String> objectsOf(Running program) {
        return ToolRun.of("resources", "--pid", Long.toString(program.pid()), "--json").requireSuccess().lines();
    }

    private static void assertNoObjectsOf(Running program) {
        Eventually.until(LIMIT, () -> objectsOf(program).equals(List.of("[]")), () -> objectsOf(program).toString());
    }

    @Test
    @Needs.LongRun("five servers and their clients")
    void serversWhoseClientDiesSayThatItDoesNotAnswer() {
        try (
                var game = verbs("rc-pingpong -d " + Rxe.RIGHT + " " + GAME);
                var latency = verbs("perf send-lat -d " + Rxe.RIGHT + " " + TEST)) {
            awaitServer(GAME_PORT);
            awaitServer(TEST_PORT);
            try (var client = gameOfC()) {
                awaitTraffic(game);
                killThePeerInOurTurn(game, client);
            }
            try (var client = c("ib_send_lat -F -d " + Rxe.LEFT + " " + TEST + " 10.9.0.2")) {
                awaitTraffic(latency);
                killThePeerInOurTurn(latency, client);
            }
            for (Running server : List.of(game, latency)) {
                assertThat(objectsOf(server)).as("objects of the stopped server").hasSizeGreaterThan(1);
                server.signal("CONT");
            }
            for (Running server : List.of(game, latency)) {
                var result = server.await(NOTICED);
                assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
                assertThat(result.output())
                        .contains("transport retry counter exceeded", "likely cause")
                        .doesNotContain("Exception");
                assertNoObjectsOf(server);
            }
        }
    }

    @Test
    void aServerThatIsWrittenToNoticesThatItsClientDies() throws Exception {
        var server = InThread.PLATFORM.start(
                () -> ToolRun.of("perf", "write-bw", "-d", Rxe.RIGHT, "-p", Integer.toString(TEST_PORT)));
        awaitServer(TEST_PORT);
        try (var client = c("ib_write_bw -F -D 100 -d " + Rxe.LEFT + " -x 1 -p " + TEST_PORT + " 10.9.0.2")) {
            awaitTraffic(client);
            assertThat(LeakCheck.kernelObjects()).isNotEmpty();
            client.signal("KILL");
            server.result(NOTICED).requireFailure(1, "the peer closed the connection", "see the peer's output");
        }
        // The killed client's are destroyed after its TCP connection.
        Eventually.until(() -> LeakCheck.kernelObjects().isEmpty(), () -> LeakCheck.kernelObjects().toString());
    }

    private static void assertInterrupted(Running program) {
        var result = program.await(NOTICED);
        assertThat(result.exitCode()).as(result::toString).isEqualTo(130);
        assertThat(result.output()).doesNotContain("Exception");
        assertNoObjectsOf(program);
    }

    @Test
    @Needs.LongRun("a dozen programs")
    void anInterruptEndsWhatWaitsWhatPlaysAndWhatWatches() {
        try (
                var served = c("ib_write_bw -F -s 1024 -d " + Rxe.RIGHT + " -x 1 -p " + SERVED_PORT);
                var waiting = verbs("perf write-bw -d " + Rxe.RIGHT + " -p " + TEST_PORT);
                var playing = verbs("rc-pingpong -d " + Rxe.RIGHT + " " + GAME);
                var watching = verbs("counters --watch 1")) {
            awaitServer(SERVED_PORT);
            try (
                    var writing =
                            verbs("perf write-bw -s 1024 -D 100 -d " + Rxe.LEFT + " -p " + SERVED_PORT + " 10.9.0.2")) {
                awaitTraffic(served);
                awaitServer(TEST_PORT);
                awaitServer(GAME_PORT);
                assertThat(objectsOf(writing)).hasSizeGreaterThan(1);
                writing.signal("INT");
                assertInterrupted(writing);
            }
            try (var client = gameOfC()) {
                awaitTraffic(client);
                assertThat(objectsOf(playing)).hasSizeGreaterThan(1);
                Eventually.until(LIMIT, () -> watching.output().contains("sent_pkts"), watching::output);
                for (Running program : List.of(waiting, playing, watching)) {
                    program.signal("INT");
                }
                for (Running program : List.of(waiting, playing, watching)) {
                    assertInterrupted(program);
                }
                assertThat(TcpPorts.isListening(TEST_PORT)).isFalse();
            }
        }
    }
}
