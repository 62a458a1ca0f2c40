// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.FaultyHost;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamGroup;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each call of the kernel fails once while a program connects and communicates. The program gets an exception, or the
/// library compensates for the failure. No object is left in the kernel.
@Timeout(120)
@SuppressWarnings("try") // a server closes before its end, so that no thread waits for it
class FaultyProgramsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7471);
    private static final List<Integer> ERRORS = List.of(Errno.ENOMEM, Errno.EINVAL, Errno.EPERM);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(400);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private final SimulatedDevice device = host.addDevice("rxe0");

    private enum Program {
        MESSAGES {
            @Override
            void run(Duration timeout, Runnable ending) throws Exception {
                var options = ConnectionOptions.defaults().withTimeout(timeout).withDrain(timeout).withMessages(4, 64);
                try (var server = RdmaServer.listen(ADDRESS, options)) {
                    var accepted = accept(server);
                    try (var client = RdmaConnection.connect(ADDRESS, options)) {
                        client.messages().send("through");
                        ending.run();
                    } finally {
                        end(server, accepted);
                    }
                }
            }
        },
        GROUP {
            @Override
            void run(Duration timeout, Runnable ending) throws Exception {
                try (ConnectionGroup group = ConnectionGroup.create()) {
                    var options =
                            ConnectionOptions.defaults().withTimeout(timeout).withDrain(timeout).withGroup(group);
                    try (var server = RdmaServer.listen(ADDRESS, options)) {
                        var accepted = accept(server);
                        try (var client = RdmaConnection.connect(ADDRESS, options)) {
                            ending.run();
                        } finally {
                            end(server, accepted);
                        }
                    }
                }
            }
        },
        STREAM {
            @Override
            void run(Duration timeout, Runnable ending) throws Exception {
                streams(options(timeout), ending);
            }
        },
        GROUPED_STREAM {
            @Override
            void run(Duration timeout, Runnable ending) throws Exception {
                try (StreamGroup group = StreamGroup.create(1 << 20)) {
                    try {
                        streams(options(timeout).withGroup(group), ending);
                    } finally {
                        awaitTrue(() -> group.ringBytes() == 0); // closing takes place in the background
                        assertThat(group.ringBytes()).isZero();
                    }
                }
            }
        },
        DATAGRAMS {
            @Override
            void run(Duration timeout, Runnable ending) throws Exception {
                datagrams(ConnectionOptions.defaults().withTimeout(timeout), ending);
            }
        },
        GROUPED_DATAGRAMS {
            @Override
            void run(Duration timeout, Runnable ending) throws Exception {
                try (ConnectionGroup group = ConnectionGroup.create()) {
                    datagrams(ConnectionOptions.defaults().withTimeout(timeout).withGroup(group), ending);
                }
            }
        };

        /// @param timeout of each wait
        /// @param ending runs before the program closes everything
        abstract void run(Duration timeout, Runnable ending) throws Exception;

        private static void datagrams(ConnectionOptions options, Runnable ending) throws Exception {
            try (var server = DatagramPort.open(ADDRESS, options)) {
                server.join(InetAddress.ofLiteral("239.9.8.1"));
                server.serve(PrivateData.NONE);
                try (var _ = DatagramPort.connect(ADDRESS, options)) {
                    ending.run();
                }
            }
        }

        /// Accepts one connection.
        ///
        /// @return completes with null if the server is closed before
        private static CompletableFuture<@Nullable RdmaConnection> accept(RdmaServer server) {
            var accepted = new CompletableFuture<@Nullable RdmaConnection>();
            Thread.startVirtualThread(() -> {
                while (!accepted.isDone()) {
                    try {
                        accepted.complete(server.accept());
                    } catch (VerbsException e) {
                        continue; // the server still accepts others
                    } catch (IllegalStateException | InterruptedException e) {
                        accepted.complete(null);
                    }
                }
            });
            return accepted;
        }

        private static void end(RdmaServer server, CompletableFuture<@Nullable RdmaConnection> accepted) {
            server.close();
            RdmaConnection connection = accepted.join();
            if (connection != null) {
                connection.close();
            }
        }

        private static StreamOptions options(Duration timeout) {
            return StreamOptions.defaults()
                    .withConnectTimeout(timeout)
                    .withTimeout(timeout)
                    .withDrain(timeout)
                    .withMappings(1);
        }

        private static void streams(StreamOptions options, Runnable ending) throws Exception {
            try (var server = RdmaStreamServer.listen(ADDRESS, options); Arena arena = Arena.ofConfined()) {
                var accepted = new CompletableFuture<AutoCloseable>();
                server.acceptEach(1, stream -> {
                    if (!accepted.complete(stream)) {
                        stream.close();
                    }
                });
                try (var client = RdmaStream.connect(ADDRESS, options)) {
                    client.write(arena.allocate(3000));
                    client.map(0, 10);
                    ending.run();
                } finally {
                    server.close();
                    accepted.complete(() -> {});
                    accepted.get().close();
                }
            }
        }
    }

    @AfterEach
    void end() {
        network.close();
    }

    private static void awaitTrue(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
    }

    private FaultyHost run(Program program, int call) throws Exception {
        int errno = ERRORS.get(call % ERRORS.size());
        var faulty = new FaultyHost((number, _) -> number == call, errno);
        try (var _ = Host.replaceCurrent(faulty.over(host))) {
            program.run(call == 0 ? LONG : SHORT, faulty::stop);
        } catch (VerbsException | IllegalStateException e) {
            assertThat(call).as("%s: %s", faulty, e).isPositive();
        }
        awaitTrue(() -> host.identifiers().isEmpty() && device.objects().isEmpty());
        assertThat(host.identifiers()).as("%s", faulty).isEmpty();
        assertThat(device.objects()).as("%s", faulty).isEmpty();
        return faulty;
    }

    @ParameterizedTest
    @EnumSource
    void everyCallThatFailsLeavesNothing(Program program) throws Exception {
        int calls = run(program, 0).calls();
        assertThat(calls).isGreaterThan(20);
        for (int call = 1; call <= calls; call++) {
            run(program, call);
        }
    }
}
