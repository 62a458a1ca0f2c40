// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each method of the factories creates a socket that is connected or listens, according to the arguments.
@Timeout(60)
class FactoriesTest {
    /// Creates a socket.
    private interface Creation<S> {
        S create() throws IOException;
    }

    private static final InetAddress ANY = InetAddress.ofLiteral("0.0.0.0");

    @ParameterizedTest
    @EnumSource
    void eachMethodConnects(Places place) throws IOException {
        var factory = new RdmaSocketFactory("an argument");
        try (ServerSocket server = new RdmaServerSocketFactory().createServerSocket()) {
            server.bind(place.address());
            InetAddress host = server.getInetAddress();
            int port = server.getLocalPort();
            String name = host.getHostAddress();
            var creations = new LinkedHashMap<String, Creation<Socket>>();
            creations.put("name", () -> factory.createSocket(name, port));
            creations.put("address", () -> factory.createSocket(host, port));
            creations.put("name, local", () -> factory.createSocket(name, port, ANY, 0));
            creations.put("address, local", () -> factory.createSocket(host, port, ANY, 0));
            creations.put("unconnected", () -> {
                Socket socket = factory.createSocket();
                socket.connect(server.getLocalSocketAddress());
                return socket;
            });
            for (Map.Entry<String, Creation<Socket>> creation : creations.entrySet()) {
                try (Socket here = creation.getValue().create(); Socket there = server.accept()) {
                    here.getOutputStream().write(200);
                    assertThat(there.getInputStream().read()).as(creation.getKey()).isEqualTo(200);
                    assertThat(here.getPort()).isEqualTo(port).isEqualTo(there.getLocalPort());
                    assertThat(here.getInetAddress()).isEqualTo(host).isEqualTo(there.getLocalAddress());
                    assertThat(here).hasToString("Socket[" + here.getChannel() + "]");
                    assertThat(here.getChannel().toString()).endsWith("over " + place);
                }
            }
        }
    }

    @Test
    void aPortOfTheCallersChoiceIsTheOneThatThePeerSees() throws IOException {
        var factory = new RdmaSocketFactory();
        InetAddress host = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new RdmaServerSocketFactory().createServerSocket(0, 1, host)) {
            int free = 0;
            try (
                    Socket first = factory.createSocket(host, server.getLocalPort(), host, 0);
                    Socket _ = server.accept()) {
                free = first.getLocalPort();
                int taken = free;
                assertThatThrownBy(() -> factory.createSocket(host, server.getLocalPort(), host, taken))
                        .isInstanceOf(BindException.class);
            }
            assertThat(free).isPositive();
        }
    }

    @Test
    void aRefusedConnectionThrowsAndLeavesNoSocket() {
        var provider = new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *")));
        InetSocketAddress nobody = Places.RDMA.address();
        List<SocketConnection> before = SocketCounters.connections();
        assertThatThrownBy(() -> new RdmaSocketFactory(provider).createSocket(nobody.getAddress(), nobody.getPort()))
                .isInstanceOf(ConnectException.class)
                .hasMessage("Connection refused");
        assertThat(SocketCounters.connections()).isEqualTo(before);
    }

    @Test
    void eachMethodListens() throws IOException {
        var factory = new RdmaServerSocketFactory();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (
                ServerSocket first = factory.createServerSocket(0);
                ServerSocket second = factory.createServerSocket(0, 3);
                ServerSocket third = factory.createServerSocket(0, 3, loopback);
                ServerSocket unbound = factory.createServerSocket()) {
            for (ServerSocket server : List.of(first, second, third)) {
                assertThat(server.getLocalPort()).isPositive();
                boolean anywhere = server.getInetAddress().isAnyLocalAddress();
                assertThat(anywhere).isEqualTo(server != third);
                String transports = anywhere ? "RDMA and TCP" : "TCP";
                assertThat(server.toString()).startsWith("ServerSocket[listener over " + transports + ": ");
                assertThatThrownBy(() -> server.bind(null)).isInstanceOf(SocketException.class)
                        .hasMessage("Already bound");
            }
            assertThat(unbound.getLocalPort()).isEqualTo(-1);
            assertThat(unbound.getInetAddress()).isNull();
            assertThat(unbound).hasToString("ServerSocket[listener over nothing yet: null]");
            assertThatThrownBy(unbound::accept).isInstanceOf(SocketException.class)
                    .hasMessage("Socket is not bound yet");
            unbound.bind(null);
            assertThat(unbound.getLocalPort()).isPositive();
            assertThatThrownBy(() -> factory.createServerSocket(third.getLocalPort(), 1, loopback))
                    .isInstanceOf(BindException.class);
        }
    }
}
