// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Listeners at the addresses of a device that has an address of this machine, too, and may be removed.
@Timeout(60)
class ListenerDeviceTest {
    private static final String DEVICE = "rxe0";
    private static final String REMOVED = "was removed; close the listener, and listen again when the device is back";
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private Host.Replacement current;

    @BeforeEach
    void addDevice() {
        host.addDevice(DEVICE).addAddress(HERE.getAddress());
        current = Host.replaceCurrent(host);
    }

    @AfterEach
    void close() {
        current.close();
        network.close();
    }

    private static ServerSocketChannel listener(String rule, InetSocketAddress address) throws IOException {
        return new RdmaSelectorProvider(SocketRules.parse("test", List.of(rule)))
                .openServerSocketChannel()
                .bind(address);
    }

    @Test
    void acceptsFailWithoutTheDevice() throws Exception {
        try (
                ServerSocketChannel server = listener("rdma bind * *", new InetSocketAddress("10.9.0.1", 0));
                Selector selector = Selector.open()) {
            Object address = server.getLocalAddress();
            CompletableFuture<SocketChannel> accepted = ListenerTest.accepting(server::accept, new ArrayList<>());
            host.removeDevice(DEVICE);
            assertThatThrownBy(() -> accepted.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isExactlyInstanceOf(SocketException.class)
                    .hasMessage("the RDMA device of " + address + " " + REMOVED);
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            assertThat(selector.select(20_000)).isOne();
            assertThatThrownBy(server::accept).hasMessageEndingWith(REMOVED);
            assertThat(server.getLocalAddress()).isEqualTo(address);
        }
    }

    @Test
    void aListenerOverBothContinuesOverTcp() throws Exception {
        try (ServerSocketChannel server = listener("rdma-or-tcp bind 127.0.0.1 *", HERE)) {
            assertThat(server.toString()).startsWith("listener over RDMA and TCP: ");
            host.removeDevice(DEVICE);
            Eventually.until(() -> server.toString().startsWith("listener over TCP: "), server::toString);
            try (SocketChannel here = JdkProvider.get().openSocketChannel()) {
                here.connect(server.getLocalAddress());
                server.accept().close();
            }
        }
    }

    @Test
    void aPortThatIsTakenOverTcpIsTaken() throws Exception {
        try (ServerSocketChannel other = JdkProvider.get().openServerSocketChannel().bind(HERE)) {
            assertThatThrownBy(() -> {
                listener("rdma-or-tcp bind 127.0.0.1 *", (InetSocketAddress) other.getLocalAddress()).close();
            }).isInstanceOf(BindException.class).hasMessage("Address already in use");
        }
    }
}
