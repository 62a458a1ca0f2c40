// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Actions at the end of a connection, which wait for further events of the same channel.
@Timeout(60)
class DisconnectedActionsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7473);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults().withTimeout(Duration.ofSeconds(5));

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final Host.Replacement replacement;

    DisconnectedActionsTest() {
        var host = network.addHost("host", KernelProfile.LINUX_6_12);
        host.addDevice("rxe0");
        replacement = Host.replaceCurrent(host);
    }

    @AfterEach
    void close() {
        replacement.close();
        network.close();
    }

    private static CompletableFuture<RdmaConnection> after(RdmaConnection ended, Callable<RdmaConnection> action) {
        return ended.disconnected().thenApply(_ -> {
            try {
                return action.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    private static void closeAll(RdmaConnection... connections) {
        for (RdmaConnection connection : connections) {
            connection.close();
        }
    }

    @Test
    void mayConnectInTheSameGroup() throws Exception {
        try (
                RdmaServer server = RdmaServer.listen(ADDRESS, OPTIONS);
                ConnectionGroup group = ConnectionGroup.create()) {
            ConnectionOptions grouped = OPTIONS.withGroup(group);
            var accepted = server.acceptAsync();
            RdmaConnection first = RdmaConnection.connect(ADDRESS, grouped);
            var second = after(first, () -> RdmaConnection.connect(ADDRESS, grouped));
            var acceptedSecond = server.acceptAsync();
            accepted.get(20, TimeUnit.SECONDS).close();
            assertThat(second.get(20, TimeUnit.SECONDS).isConnected()).isTrue();
            assertThat(first.disconnected()).as("after the end").isDone();
            closeAll(first, second.join(), acceptedSecond.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void runIfTheClosingThreadIsInterrupted() throws Exception {
        try (EventChannel silent = EventChannel.open(); Identifier listener = silent.create(PortSpace.TCP)) {
            listener.bind(ADDRESS);
            listener.listen(1);
            var connecting = InThread.PLATFORM.start(() -> RdmaConnection.connect(ADDRESS, OPTIONS));
            var request = (CmEvent.ConnectRequest) silent.await().orElseThrow();
            request.incoming().accept(ConnectionParameters.DEFAULT.withQueuePairNumber(1));
            RdmaConnection client = connecting.result();
            Thread.currentThread().interrupt();
            client.close(); // the peer does not answer
            assertThat(Thread.interrupted()).isTrue();
            assertThat(client.disconnected()).isDone();
        }
    }

    @Test
    void runWhenTheGroupIsClosed() throws Exception {
        ConnectionGroup group = ConnectionGroup.create();
        try (RdmaServer server = RdmaServer.listen(ADDRESS, OPTIONS)) {
            var accepted = server.acceptAsync();
            RdmaConnection client = RdmaConnection.connect(ADDRESS, OPTIONS.withGroup(group));
            RdmaConnection peer = accepted.get(20, TimeUnit.SECONDS);
            group.close();
            assertThat(client.disconnected()).isDone();
            peer.disconnected().get(20, TimeUnit.SECONDS);
            closeAll(client, peer);
        }
    }

    /// Otherwise the attempt would last until its timeout.
    @Test
    void connectingEndsWhenTheGroupIsClosed() throws Exception {
        ConnectionGroup group = ConnectionGroup.create();
        try (EventChannel silent = EventChannel.open(); Identifier listener = silent.create(PortSpace.TCP)) {
            listener.bind(ADDRESS);
            listener.listen(1);
            var connecting =
                    InThread.PLATFORM.start(() -> RdmaConnection.connect(ADDRESS, OPTIONS.withGroup(group)));
            silent.await();
            group.close();
            assertThat(connecting.failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith(" is closed");
        }
    }

    @Test
    void mayAcceptTheNextConnection() throws Exception {
        try (RdmaServer server = RdmaServer.listen(ADDRESS, OPTIONS)) {
            var accepted = server.acceptAsync();
            RdmaConnection client = RdmaConnection.connect(ADDRESS, OPTIONS);
            RdmaConnection first = accepted.get(20, TimeUnit.SECONDS);
            var second = after(first, server::accept);
            client.close();
            RdmaConnection nextClient = RdmaConnection.connect(ADDRESS, OPTIONS);
            assertThat(second.get(20, TimeUnit.SECONDS).isConnected()).isTrue();
            closeAll(first, second.join(), nextClient);
        }
    }
}
