// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs DiSNI's own examples and benchmarks unchanged, for each version, on simulated devices. Also runs the example of
/// DaRPC, a library for remote procedure calls that uses DiSNI.
@ResourceLock("io.verbs4j.abi.host.Host.current")
@Timeout(120)
class DisniExamplesTest {
    private static final String SERVER = "10.9.0.2";
    private static final String DARPC = "com.ibm.darpc.examples.";

    private final PrintStream before = System.out;
    private final PrintStream errorsBefore = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final List<SimulatedDevice> devices = new ArrayList<>();
    private Host.Replacement current = () -> {};

    @BeforeEach
    void begin() {
        var host = network.addHost("host", KernelProfile.LINUX_6_12);
        host.connectsAcrossTheWire(true);
        devices.add(host.addDevice("rxe0"));
        devices.add(host.addDevice("rxe1"));
        current = Host.replaceCurrent(host);
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void end() {
        System.setOut(before);
        System.setErr(errorsBefore);
        current.close();
        network.close();
    }

    static Stream<Arguments> programs() {
        return Arrays.stream(DisniVersion.values())
                .flatMap(version -> Stream.of(
                        // One RDMA read, with plain verbs calls.
                        Arguments.of(version, "examples.Verbs", List.of(), List.of(
                                "VerbsClient::read memory from server: This is a RDMA/read on stag")),
                        // One send in each direction, with completion events.
                        Arguments.of(version, "examples.SendRecv", List.of(), List.of(
                                "Message from the client: Hello from the client",
                                "Message from the server: Hello from the server")),
                        // Reads, after a message with the address.
                        Arguments.of(version, "examples.Read", List.of(), List.of(
                                "ReadClient::read memory from server: This is a RDMA/read on stag", "final message")),
                        // A thousand reads, polling.
                        Arguments.of(version, "benchmarks.Read", List.of("-s", "64", "-k", "1000"),
                                List.of("latency"))));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void runs(DisniVersion version, String program, List<String> options, List<String> texts) throws Exception {
        var arguments = new ArrayList<>(List.of("-a", SERVER));
        arguments.addAll(options);
        try (URLClassLoader loader = version.loader()) {
            run(loader, program, arguments);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains(texts);
        // The others leave objects open until their process ends, because DiSNI's passive groups close no queues.
        if (program.equals("examples.SendRecv") || program.equals("examples.Read")) {
            assertThat(devices).allSatisfy(device -> {
                assertThat(device.contexts()).isZero();
                assertThat(device.objects()).isEmpty();
            });
        }
    }

    private static void run(ClassLoader loader, String program, List<String> arguments) throws Exception {
        Running server = Running.start(loader, "com.ibm.disni." + program + "Server", "main", arguments);
        server.awaitListening();
        Running client = Running.start(loader, "com.ibm.disni." + program + "Client", "main", arguments);
        CompletableFuture.anyOf(client.ended, server.ended).get(60, TimeUnit.SECONDS); // a failure ends the test
        CompletableFuture.allOf(client.ended, server.ended).get(60, TimeUnit.SECONDS);
    }

    /// DiSNI keeps the protection domain of each context's number until the process ends. Between the runs, all devices
    /// are closed.
    @Test
    void runsAgainInTheSameProcess() throws Exception {
        try (URLClassLoader loader = DisniVersion.DISNI_2_1.loader()) {
            for (int i = 0; i < 5; i++) {
                run(loader, "examples.SendRecv", List.of("-a", SERVER));
                assertThat(devices).allSatisfy(device -> assertThat(device.contexts()).isZero());
            }
        }
    }

    /// Four threads call a server over two connections. The client prints the number of planned calls, and the stack of
    /// a thread that failed.
    @ParameterizedTest
    @CsvSource({"future-take, 64", "batch-stream-poll, 0"})
    void runsDarpc(String mode, String inlineBytes) throws Exception {
        try (URLClassLoader loader = DisniVersion.DISNI_2_1.loader("darpc-1.9.jar", "darpc-1.9-tests.jar")) {
            var arguments = List.of("-a", SERVER, "-i", inlineBytes);
            Running server = Running.start(loader, DARPC + "server.DaRPCServer", "launch", arguments);
            server.awaitListening();
            Running client = Running.start(loader, DARPC + "client.DaRPCClient", "launch",
                    Stream.concat(arguments.stream(), Stream.of("-m", mode, "-n", "4", "-c", "2", "-k", "500"))
                            .toList());
            client.ended.get(60, TimeUnit.SECONDS);
            assertThat(errors.toString(StandardCharsets.UTF_8)).doesNotContain("Exception");
            assertThat(printed.toString(StandardCharsets.UTF_8)).contains("ops 2000.0");
            assertThat(server.ended).as("the server runs until its process ends").isNotDone();
        } finally {
            Files.deleteIfExists(Path.of("datalog-client.dat")); // the client's report
        }
    }

    /// A program that runs in a thread of its own.
    private record Running(Thread thread, CompletableFuture<Void> ended) {
        static Running start(ClassLoader loader, String program, String method, List<String> arguments) {
            var ended = new CompletableFuture<Void>();
            Thread thread = Thread.ofPlatform().daemon().name(program).start(() -> {
                try {
                    DisniVersion.run(loader, program, method, arguments.toArray(String[]::new));
                    ended.complete(null);
                } catch (Throwable e) {
                    ended.completeExceptionally(e);
                }
            });
            return new Running(thread, ended);
        }

        /// Waits until the program listens, because a rejected DiSNI client waits indefinitely.
        void awaitListening() throws InterruptedException {
            while (!ended.isDone() && !waitsForClients()) {
                Thread.sleep(5);
            }
        }

        private boolean waitsForClients() {
            return Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("_getCmEvent")
                            || frame.getMethodName().equals("accept")
                                    && frame.getClassName().endsWith(".RdmaServerEndpoint"));
        }
    }
}
