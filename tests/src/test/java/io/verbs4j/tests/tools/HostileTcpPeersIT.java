// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Servers that find their client over TCP, with a peer that is not such a client. Each ends with a one-line error, as
/// those in C do, and leaves no resources. Waiting in vain for a peer's bytes takes two minutes, so it is part of the
/// long form (system property `soak.minutes`).
@DeviceTest
@RealKernel("TCP ports that the kernel lists")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs.OneKernel
class HostileTcpPeersIT {
    /// Beyond the two minutes that a peer may be silent.
    private static final Duration LIMIT = Duration.ofSeconds(240);

    private static final AtomicInteger NEXT_PORT = new AtomicInteger(19_600);
    private static final List<String> SERVERS = List.of(
            "rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong", "perf send-lat", "perf write-bw");

    /// Behaviour of a hostile peer.
    private enum Attack {
        /// Bytes of all kinds, many of them.
        GARBAGE("check that the peer") {
            @Override
            void on(Socket peer) throws IOException {
                byte[] bytes = new byte[64 * 1024];
                new SplittableRandom(1).nextBytes(bytes);
                peer.getOutputStream().write(bytes);
            }
        },
        /// The highest numbers wherever a number is expected, and the end.
        HUGE_NUMBERS("check that the peer|closed the connection") {
            @Override
            void on(Socket peer) throws IOException {
                String address = "ffff:ffffff:ffffff:" + "f".repeat(32) + '\0';
                String number = "7fffffff\0";
                peer.getOutputStream()
                        .write(("6.06" + "\0".repeat(12) + number.repeat(8) + address.repeat(16))
                                .getBytes(StandardCharsets.US_ASCII));
                peer.shutdownOutput(); // a server that still waits for more would do so for a minute
            }
        },
        /// Half a message, and the end.
        HALF("closed the connection") {
            @Override
            void on(Socket peer) throws IOException {
                peer.getOutputStream().write("0000:0000".getBytes(StandardCharsets.US_ASCII));
                peer.close();
            }
        },
        /// The end at once.
        NOTHING("closed the connection") {
            @Override
            void on(Socket peer) throws IOException {
                peer.close();
            }
        },
        /// A reset.
        RESET("Connection reset") {
            @Override
            void on(Socket peer) throws IOException {
                peer.setSoLinger(true, 0);
                peer.close();
            }
        },
        /// One byte per second, indefinitely.
        DRIPPING("check that the peer|did not answer within") {
            @Override
            void on(Socket peer) throws IOException, InterruptedException {
                for (int i = 0; i < 100_000; i++) {
                    peer.getOutputStream().write('0');
                    Thread.sleep(1000);
                }
            }
        },
        /// A beginning, and silence.
        SILENCE("did not answer within") {
            @Override
            void on(Socket peer) throws IOException {
                peer.getOutputStream().write('0');
                while (peer.getInputStream().read() >= 0) {
                    // until the server has enough of it
                }
            }
        };

        /// Pattern of what the servers say of it.
        private final String said;

        Attack(String said) {
            this.said = said;
        }

        abstract void on(Socket peer) throws IOException, InterruptedException;
    }

    private static Stream<Attack> attacks() {
        boolean all = Integer.getInteger("soak.minutes", 0) > 0;
        return Stream.of(Attack.values()).filter(attack -> all || attack.compareTo(Attack.DRIPPING) < 0);
    }

    /// Plays a hostile peer, until the server ends.
    private static int attack(Attack attack, int port) throws IOException, InterruptedException {
        try (var peer = new Socket(InetAddress.getLoopbackAddress(), port)) {
            attack.on(peer);
            while (!peer.isClosed() && peer.getInputStream().read() >= 0) {
                // its answers
            }
        } catch (SocketException e) {
            // it has closed the connection
        }
        return port;
    }

    /// All servers at a time: those that wait for bytes that do not come wait for minutes.
    @ParameterizedTest
    @MethodSource("attacks")
    void endServersWithAnErrorAndLeaveNothing(Attack attack) throws Exception {
        var servers = new ArrayList<InThread.Started<ToolRun>>();
        var peers = new ArrayList<InThread.Started<Integer>>();
        for (String server : SERVERS) {
            int port = NEXT_PORT.getAndIncrement();
            // The GID is named: choosing it is worth a line.
            String gid = server.startsWith("perf") ? " -x " : " -g ";
            String[] command = (server + " -d " + Rxe.RIGHT + gid + Rxe.IPV4_INDEX + " -p " + port).split(" ");
            servers.add(InThread.PLATFORM.start(() -> ToolRun.of(command)));
            Eventually.until(Duration.ofSeconds(60), () -> TcpPorts.isListening(port), () -> "no server: " + server);
            peers.add(InThread.PLATFORM.start(() -> attack(attack, port)));
        }
        long start = System.nanoTime();
        for (int i = 0; i < servers.size(); i++) {
            ToolRun run = servers.get(i).result(LIMIT);
            assertThat(run.exitCode()).as(SERVERS.get(i) + ": " + run).isEqualTo(1);
            assertThat(run.error()).as(SERVERS.get(i)).startsWith("verbs " + SERVERS.get(i).split(" ")[0]);
            assertThat(run.error().lines()).as(run.error()).hasSize(1);
            assertThat(run.error()).as(SERVERS.get(i)).containsPattern(attack.said).doesNotContain("Exception");
        }
        for (var peer : peers) {
            peer.interrupt();
        }
        IO.println(attack + ": all servers had ended after "
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + " s");
        assertThat(LeakCheck.kernelObjects()).isEmpty();
        assertThat(LeakCheck.descriptors()).isEmpty();
    }

    /// As in C, one of them is served, and the others find nobody.
    @ParameterizedTest
    @EnumSource(names = "NOTHING")
    @Needs.LongRun("six servers, a hundred connections each")
    void endServersToWhichAHundredConnect(Attack attack) throws Exception {
        int port = NEXT_PORT.getAndIncrement();
        var server = InThread.PLATFORM.start(
                () -> ToolRun.of("rc-pingpong", "-d", Rxe.RIGHT, "-g", "1", "-p", Integer.toString(port)));
        Eventually.until(Duration.ofSeconds(60), () -> TcpPorts.isListening(port), () -> "no server");
        var peers = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 100; i++) {
                try {
                    peers.add(new Socket(InetAddress.getLoopbackAddress(), port));
                } catch (IOException e) {
                    // the server listens no longer
                }
            }
        } finally {
            for (Socket peer : peers) {
                attack.on(peer);
            }
        }
        server.result(LIMIT).requireFailure(1, "closed the connection during the exchange of addresses");
        assertThat(LeakCheck.kernelObjects()).isEmpty();
    }
}
