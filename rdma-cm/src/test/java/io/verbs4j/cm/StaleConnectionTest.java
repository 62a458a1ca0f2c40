// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamGroup;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The peer's kernel still remembers the numbers of the next queue pairs, as after a connection whose end it has
/// missed.
@Timeout(60)
class StaleConnectionTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7471);
    private static final int LIMIT = 8;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private final SimulatedDevice device = host.addDevice("rxe0");
    private Host.Replacement current = () -> {};

    @BeforeEach
    void becomeCurrent() {
        current = Host.replaceCurrent(host);
    }

    @AfterEach
    void end() {
        assertThat(host.identifiers()).isEmpty();
        assertThat(device.objects()).isEmpty();
        current.close();
        network.close();
    }

    private static int nextNumber() {
        try (Context context = Devices.list().getFirst().open()) {
            var queue = context.createCompletionQueue(1);
            return context.allocateProtectionDomain().reliableConnection(queue).create().number() + 1;
        }
    }

    /// Sends requests of queue pairs with the next numbers to a server that does not answer.
    private static void claim(EventChannel channel, int count) throws InterruptedException {
        int number = nextNumber();
        for (int i = 0; i < count; i++) {
            Identifier identifier = channel.create(PortSpace.TCP);
            identifier.resolveAddress(null, ADDRESS, Duration.ofSeconds(10));
            channel.await();
            identifier.resolveRoute(Duration.ofSeconds(10));
            channel.await();
            identifier.connect(ConnectionParameters.DEFAULT.withQueuePairNumber(number + i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, LIMIT - 1})
    void anotherQueuePairIsUsed(int claimed) throws Exception {
        var prepared = new ArrayList<Integer>();
        var options = ConnectionOptions.defaults()
                .withPreparation(connection -> prepared.add(connection.queuePair().number()));
        try (RdmaServer server = RdmaServer.listen(ADDRESS); EventChannel channel = EventChannel.open()) {
            claim(channel, claimed);
            for (int i = 0; i < claimed; i++) {
                server.next();
            }
            CompletableFuture<RdmaConnection> accepted = server.acceptAsync();
            try (RdmaConnection connection = RdmaConnection.connect(ADDRESS, options)) {
                accepted.get(20, TimeUnit.SECONDS).close();
                assertThat(prepared).hasSize(claimed + 1)
                        .doesNotHaveDuplicates()
                        .endsWith(
                                connection.queuePair().number());
            }
        }
    }

    @Test
    void afterSomeQueuePairsThePeersAnswerIsFinal() throws Exception {
        var prepared = new ArrayList<Integer>();
        var options = ConnectionOptions.defaults()
                .withPreparation(connection -> prepared.add(connection.queuePair().number()));
        try (RdmaServer _ = RdmaServer.listen(ADDRESS); EventChannel channel = EventChannel.open()) {
            claim(channel, LIMIT);
            assertThatThrownBy(() -> RdmaConnection.connect(ADDRESS, options)).isInstanceOfSatisfying(
                    ConnectionRejectedException.class,
                    e -> assertThat(e.reason()).contains(RejectReason.STALE_CONNECTION));
            assertThat(prepared).hasSize(LIMIT);
        }
    }

    @Test
    void anotherRejectionIsFinal() throws Exception {
        var prepared = new ArrayList<RdmaConnection>();
        try (RdmaServer server = RdmaServer.listen(ADDRESS)) {
            Thread.startVirtualThread(() -> {
                try {
                    server.next().reject(PrivateData.of(new byte[]{1}));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThatThrownBy(
                    () -> RdmaConnection.connect(ADDRESS, ConnectionOptions.defaults().withPreparation(prepared::add)))
                    .isInstanceOfSatisfying(ConnectionRejectedException.class, e -> {
                        assertThat(e.reason()).contains(RejectReason.BY_PEER);
                        assertThat(e.privateData().bytes()).startsWith(1);
                    });
            assertThat(prepared).hasSize(1);
        }
    }

    @Test
    void streamsFreeTheMemoryOfEarlierQueuePairs() throws Exception {
        try (
                StreamGroup group = StreamGroup.create(1 << 20);
                RdmaStreamServer server = RdmaStreamServer.listen(ADDRESS);
                EventChannel channel = EventChannel.open()) {
            claim(channel, 2);
            int requested = 2 * (2 + 1) + 1; // both ends of each request, and the listener
            var accepted = new CompletableFuture<RdmaStream>();
            Thread.startVirtualThread(() -> {
                try {
                    while (host.identifiers().size() < requested) {
                        Thread.sleep(1);
                    }
                    accepted.complete(server.accept());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            try (RdmaStream stream = RdmaStream.connect(ADDRESS, StreamOptions.defaults().withGroup(group))) {
                assertThat(List.of(stream.peerAddress())).containsExactly(ADDRESS);
                accepted.get(20, TimeUnit.SECONDS).close();
            }
            assertThat(group.ringBytes()).isZero();
        }
    }
}
