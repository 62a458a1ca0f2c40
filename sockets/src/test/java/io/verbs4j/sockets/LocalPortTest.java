// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A socket that is bound before it connects has a port that is free over TCP. Over RDMA, the port may be in use.
@Timeout(60)
class LocalPortTest {
    /// An address that both this machine and the simulated device have, so that a socket can bind to it.
    private static final InetAddress SHARED = InetAddress.ofLiteral("127.9.0.1");

    private final RdmaSelectorProvider provider = new RdmaSelectorProvider(
            SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *", "rdma bind 127.9.0.1 *")));
    private final SimulatedHost host = (SimulatedHost) Host.current();
    private final SimulatedDevice device = host.find("rxe0").orElseThrow();

    @BeforeEach
    void shareAnAddress() {
        device.addAddress(SHARED);
    }

    /// Channels are released in the background.
    @AfterEach
    @Timeout(30)
    void removeTheAddress() throws InterruptedException {
        while (!host.identifiers().isEmpty()) {
            Thread.sleep(1);
        }
        device.removeAddress(SHARED);
    }

    private ServerSocketChannel listen(InetSocketAddress address) throws IOException {
        return provider.openServerSocketChannel().bind(address);
    }

    private static int localPort(SocketChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /// @param holder the address of a listener over RDMA, which uses the port that the kernel has chosen
    @ParameterizedTest
    @CsvSource({"127.9.0.1, 127.9.0.1", "0.0.0.0, 10.9.0.1"})
    void anotherPortReplacesOneThatTheKernelChoseAmongThoseOfTcp(String host, String holder) throws IOException {
        try (
                ServerSocketChannel server = listen(Places.RDMA.address());
                SocketChannel here = provider.openSocketChannel().bind(new InetSocketAddress(host, 0));
                ServerSocketChannel _ = listen(new InetSocketAddress(holder, localPort(here)))) {
            int taken = localPort(here);
            here.connect(server.getLocalAddress());
            try (SocketChannel there = server.accept()) {
                assertThat(there.getRemoteAddress()).isEqualTo(here.getLocalAddress());
                assertThat(localPort(here)).isPositive().isNotEqualTo(taken);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
            "127.9.0.1, 127.9.0.1, Address already in use over RDMA",
            "0.0.0.0, 10.9.0.1, Cannot assign requested address"
    })
    void noPortReplacesOneThatTheProgramNamed(String host, String holder, String message) throws IOException {
        int port = Places.RDMA.address().getPort();
        try (
                ServerSocketChannel server = listen(Places.RDMA.address());
                SocketChannel here = provider.openSocketChannel().bind(new InetSocketAddress(host, port));
                ServerSocketChannel _ = listen(new InetSocketAddress(holder, port))) {
            assertThatThrownBy(() -> here.connect(server.getLocalAddress())).isInstanceOf(BindException.class)
                    .hasMessage(message)
                    .hasCauseInstanceOf(VerbsException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.9.0.1", "0.0.0.0"})
    void aPortThatIsFreeOverRdmaStays(String host) throws IOException {
        try (
                ServerSocketChannel server = listen(Places.RDMA.address());
                SocketChannel here = provider.openSocketChannel().bind(new InetSocketAddress(host, 0))) {
            int port = localPort(here);
            here.connect(server.getLocalAddress());
            try (SocketChannel there = server.accept()) {
                assertThat(localPort(here)).isEqualTo(port);
                assertThat(there.getRemoteAddress()).isEqualTo(here.getLocalAddress());
            }
        }
    }
}
