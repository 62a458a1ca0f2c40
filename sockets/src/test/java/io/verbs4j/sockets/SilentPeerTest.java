// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.stream.StreamGroup;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.sockets.SocketRules.Transport;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Forwarding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A peer answers over TCP, but not over RDMA: the simulated neighbour is silent for three seconds. Or this host has no
/// RDMA.
@Timeout(60)
class SilentPeerTest {
    /// The address of the simulated device, from which the machine can connect over TCP, too.
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.9.0.1"), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.9.0.9"), 0);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private final SocketContext context = new SocketContext(
            SocketRules.parse("test", List.of("rdma-or-tcp connect 127.9.0.9 *")),
            StreamGroup.create(16 << 20),
            new ConcurrentHashMap<>());
    private Host.Replacement current;

    @BeforeEach
    void addDevice() {
        host.addDevice("rxe0").addAddress(HERE.getAddress());
        current = Host.replaceCurrent(host);
    }

    @AfterEach
    void leavesNothing() {
        Eventually.until(() -> host.identifiers().isEmpty(), () -> "identifiers " + host.identifiers());
        current.close();
        network.close();
    }

    private SocketChannel client() throws IOException {
        return new RdmaSelectorProvider(context).openSocketChannel().bind(HERE);
    }

    @Test
    void aConnectWithATimeoutLeavesTimeForTcp() throws IOException {
        try (
                ServerSocketChannel server = JdkProvider.get().openServerSocketChannel().bind(PEER);
                SocketChannel here = client()) {
            long fallbacks = SocketReport.now().fallbacks();
            here.socket().connect(server.getLocalAddress(), 2_500);
            assertThat(here.toString()).endsWith("over TCP");
            assertThat(SocketReport.now().fallbacks() - fallbacks).isOne();
        }
    }

    @Test
    void aConnectThatTheProgramGivesUpCountsAsFailed() throws IOException {
        try (ServerSocketChannel server = JdkProvider.get().openServerSocketChannel().bind(PEER)) {
            var address = (InetSocketAddress) server.getLocalAddress();
            try (SocketChannel first = client()) {
                first.configureBlocking(false);
                assertThat(first.connect(address)).isFalse();
            }
            assertThat(context.connecting(address)).isEqualTo(Transport.TCP);
            try (SocketChannel second = client()) {
                assertThat(second.connect(address)).isTrue();
            }
        }
    }

    /// As without Linux, or without native access.
    @Test
    void withoutRdmaOnThisHostSocketsUseTcp() throws IOException {
        Host without = Forwarding.of(Host.class, (_, method, arguments) -> {
            if (method.getReturnType() == DeviceFile.class) {
                throw new UnsupportedOperationException("RDMA verbs require Linux");
            }
            return Forwarding.pass(host, method, arguments);
        });
        current.close();
        current = Host.replaceCurrent(without);
        var provider = new RdmaSelectorProvider(context.with(SocketRules.parse(
                "test", List.of("rdma-or-tcp connect 127.9.0.9 *", "rdma-or-tcp bind 127.9.0.9 *"))));
        try (
                ServerSocketChannel anywhere = provider.openServerSocketChannel().bind(null);
                ServerSocketChannel server = provider.openServerSocketChannel().bind(PEER);
                SocketChannel here = provider.openSocketChannel()) {
            here.connect(server.getLocalAddress());
            assertThat(here.toString()).endsWith("over TCP");
            assertThat(server.toString()).startsWith("listener over TCP: ");
            assertThat(anywhere.toString()).startsWith("listener over TCP: ");
        }
    }
}
