// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each method of a `java.net` socket has the same result with this implementation as with the JDK's.
@Timeout(60)
class SocketImplTest {
    private static final RdmaSelectorProvider PROVIDER = new RdmaSelectorProvider();
    private static final int ACCEPTING_MILLIS = 200;
    private static final int READ_MILLIS = 500;
    private static final int READERS = 20;

    /// A socket as the agent's factory creates it.
    private static final class OurSocket extends Socket {
        final MixedSocketImpl ours;

        OurSocket() throws SocketException {
            this(new MixedSocketImpl(PROVIDER, false));
        }

        private OurSocket(MixedSocketImpl ours) throws SocketException {
            super(ours);
            this.ours = ours;
        }
    }

    /// A server socket as the agent's factory creates it.
    private static final class OurServer extends ServerSocket {
        final MixedSocketImpl ours;

        OurServer() {
            this(new MixedSocketImpl(PROVIDER, true));
        }

        private OurServer(MixedSocketImpl ours) {
            super(ours);
            this.ours = ours;
        }

        @Override
        public Socket accept() throws IOException {
            if (isClosed() || !isBound()) { // as the method that this overrides
                throw new SocketException("closed or not bound");
            }
            var peer = new OurSocket();
            implAccept(peer);
            return peer;
        }
    }

    /// A state of a socket, and the steps to it from a new socket and the address of a listener.
    private enum State {
        NEW((_, _) -> {}),
        CONNECTED(Socket::connect),
        WITHOUT_INPUT((socket, peer) -> {
            socket.connect(peer);
            socket.shutdownInput();
        }),
        CLOSED((socket, peer) -> {
            socket.connect(peer, 20_000);
            socket.close();
        });

        private final SameAsJdkTest.Entry<Socket> entry;

        State(SameAsJdkTest.Entry<Socket> entry) {
            this.entry = entry;
        }
    }

    private static Map<String, Callable<Object>> calls(Socket socket) {
        var calls = new LinkedHashMap<String, Callable<Object>>();
        calls.put("isBound", socket::isBound);
        calls.put("isConnected", socket::isConnected);
        calls.put("isClosed", socket::isClosed);
        calls.put("getPort", () -> Integer.signum(socket.getPort()));
        calls.put("getLocalPort", () -> Integer.signum(socket.getLocalPort()));
        calls.put("getInetAddress", () -> socket.getInetAddress() != null);
        calls.put("getLocalAddress", () -> socket.getLocalAddress().isAnyLocalAddress());
        calls.put("getChannel", socket::getChannel);
        calls.put("getSoTimeout", socket::getSoTimeout);
        calls.put("setSoTimeout", () -> {
            socket.setSoTimeout(77);
            return socket.getSoTimeout();
        });
        calls.put("setSoLinger", () -> {
            socket.setSoLinger(true, 7);
            return socket.getSoLinger();
        });
        calls.put("setSoLinger off", () -> {
            socket.setSoLinger(false, 7);
            return socket.getSoLinger();
        });
        calls.put("setSoLinger wrong", () -> {
            socket.setSoLinger(true, -7);
            return 0;
        });
        calls.put("setTcpNoDelay", () -> {
            socket.setTcpNoDelay(true);
            return socket.getTcpNoDelay();
        });
        calls.put("setKeepAlive", () -> {
            socket.setKeepAlive(true);
            return socket.getKeepAlive();
        });
        calls.put("setReuseAddress", () -> {
            socket.setReuseAddress(true);
            return socket.getReuseAddress();
        });
        calls.put("setSendBufferSize", () -> {
            socket.setSendBufferSize(10_000);
            return socket.getSendBufferSize() >= 10_000;
        });
        calls.put("setReceiveBufferSize", () -> {
            socket.setReceiveBufferSize(10_000);
            return socket.getReceiveBufferSize() >= 10_000;
        });
        calls.put("setReceiveBufferSize wrong", () -> {
            socket.setReceiveBufferSize(0);
            return 0;
        });
        calls.put("setTrafficClass wrong", () -> {
            socket.setTrafficClass(256);
            return 0;
        });
        calls.put("getTrafficClass", socket::getTrafficClass);
        calls.put("getOOBInline", socket::getOOBInline);
        calls.put("setOption", () -> socket.setOption(StandardSocketOptions.SO_KEEPALIVE, false) == socket);
        calls.put("getOption", () -> socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
        calls.put("getOption null", () -> socket.getOption((SocketOption<Boolean>) null));
        calls.put("getInputStream", () -> socket.getInputStream().available());
        calls.put("getOutputStream", () -> {
            socket.getOutputStream().write(new byte[0]);
            return 0;
        });
        calls.put("shutdownOutput", () -> {
            socket.shutdownOutput();
            return socket.isOutputShutdown();
        });
        calls.put("bind", () -> {
            socket.bind(null);
            return socket.getLocalPort() > 0;
        });
        calls.put("connect null", () -> {
            socket.connect(null);
            return 0;
        });
        calls.put("connect negative", () -> {
            socket.connect(new InetSocketAddress("127.0.0.1", 1), -1);
            return 0;
        });
        calls.put("connect nowhere", () -> {
            socket.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1));
            return 0;
        });
        calls.put("isClosed afterwards", socket::isClosed);
        return calls;
    }

    private static List<String> results(ServerSocket server, Socket socket, Places place, State state)
            throws IOException {
        var results = new ArrayList<String>();
        try (server; socket) {
            server.bind(place.address());
            state.entry.enter(socket, server.getLocalSocketAddress());
            SameAsJdkTest.add("socket", calls(socket), results);
        }
        return results;
    }

    @ParameterizedTest
    @EnumSource
    void eachCallHasTheResultOfTheJdks(State state) throws IOException {
        List<String> expected = results(new ServerSocket(), new Socket(), Places.TCP, state);
        assertThat(results(new OurServer(), new OurSocket(), Places.TCP, state)).isEqualTo(expected);
        assertThat(results(new OurServer(), new OurSocket(), Places.RDMA, state)).isEqualTo(expected);
    }

    private static List<String> results(ServerSocket server, Places place, boolean closed) throws IOException {
        var results = new ArrayList<String>();
        try (server) {
            var calls = new LinkedHashMap<String, Callable<Object>>();
            calls.put("setReuseAddress", () -> {
                server.setReuseAddress(true);
                return server.getReuseAddress();
            });
            calls.put("setReceiveBufferSize", () -> {
                server.setReceiveBufferSize(10_000);
                return server.getReceiveBufferSize() >= 10_000;
            });
            calls.put("setSoTimeout", () -> {
                server.setSoTimeout(1);
                return server.getSoTimeout();
            });
            calls.put("setOption", () -> server.setOption(StandardSocketOptions.SO_RCVBUF, 20_000) == server);
            calls.put("getOption", () -> server.getOption(StandardSocketOptions.SO_RCVBUF) >= 20_000);
            calls.put("getOption of sockets", () -> server.getOption(StandardSocketOptions.TCP_NODELAY));
            calls.put("accept before", server::accept);
            calls.put("bind", () -> {
                server.bind(place.address());
                return server.getLocalPort() > 0;
            });
            calls.put("accept", server::accept);
            calls.put("getInetAddress", () -> server.getInetAddress().isAnyLocalAddress());
            calls.put("bind again", () -> {
                server.bind(place.address());
                return 0;
            });
            if (closed) {
                server.close();
            }
            SameAsJdkTest.add("server", calls, results);
        }
        return results;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachCallOfAServerHasTheResultOfTheJdks(boolean closed) throws IOException {
        List<String> expected = results(new ServerSocket(), Places.TCP, closed);
        assertThat(results(new OurServer(), Places.TCP, closed)).isEqualTo(expected);
        assertThat(results(new OurServer(), Places.RDMA, closed)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void anAcceptedSocketIsThePeer(Places place) throws IOException {
        try (var server = new OurServer(); var here = new OurSocket()) {
            server.bind(place.address());
            here.connect(server.getLocalSocketAddress());
            try (Socket there = server.accept()) {
                assertThat(there.getPort()).isEqualTo(here.getLocalPort()).isPositive();
                assertThat(there.getLocalPort()).isEqualTo(here.getPort()).isEqualTo(server.getLocalPort());
                assertThat(there.getInetAddress()).isEqualTo(here.getLocalAddress());
                assertThat(here.getInetAddress()).isEqualTo(there.getLocalAddress());
                there.getOutputStream().write(new byte[]{(byte) 200, 1});
                assertThat(here.getInputStream().read()).isEqualTo(200);
                while (here.ours.available() == 0) {
                    Thread.onSpinWait();
                }
                assertThat(here.ours.available()).isOne();
                assertThatThrownBy(() -> here.sendUrgentData(1)).isInstanceOf(SocketException.class)
                        .hasMessage("Urgent data not supported");
                assertThatThrownBy(() -> here.ours.sendUrgentData(1)).isInstanceOf(SocketException.class)
                        .hasMessage("Urgent data not supported");
                here.shutdownInput();
                assertThat(here.ours.available()).isZero();
                assertThat(here.ours.toString()).startsWith("MixedSocketImpl[").contains("over " + place);
            }
        }
    }

    /// The JDK's classes check most arguments themselves.
    @Test
    void theImplementationChecksWhatTheJdkLeavesToIt() throws IOException {
        var impl = new MixedSocketImpl(PROVIDER, false);
        var server = new MixedSocketImpl(PROVIDER, true);
        assertThatThrownBy(() -> impl.create(false)).isInstanceOf(SocketException.class)
                .hasMessage("datagram sockets are not supported");
        impl.create(true);
        for (MixedSocketImpl each : List.of(impl, server)) {
            assertThatThrownBy(() -> each.getOption(-3)).isInstanceOf(SocketException.class)
                    .hasMessage("option -3 is not supported");
            each.setOption(-3, 1);
            each.setOption(SocketOptions.SO_TIMEOUT, 5);
            assertThat(each.getOption(SocketOptions.SO_TIMEOUT)).isEqualTo(5);
        }
        assertThat(names(impl.supportedOptions())).hasSize(6).contains("SO_LINGER", "TCP_NODELAY");
        assertThat(names(server.supportedOptions())).containsExactlyInAnyOrder("SO_RCVBUF", "SO_REUSEADDR");
        assertThatThrownBy(() -> impl.connect(new SocketAddress() {}, 0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no IP address");
        assertThatThrownBy(() -> impl.connect("nowhere.invalid", 1)).isInstanceOf(UnknownHostException.class)
                .hasMessage("nowhere.invalid");
        assertThatThrownBy(() -> impl.getOption(SocketOptions.SO_TIMEOUT)).as("it was closed")
                .isInstanceOf(SocketException.class)
                .hasMessage("Socket is closed");
        server.close();
        assertThatThrownBy(() -> server.getOption(SocketOptions.SO_REUSEADDR)).isInstanceOf(SocketException.class)
                .hasMessage("Socket is closed");
    }

    private static Set<String> names(Set<SocketOption<?>> options) {
        return options.stream().map(SocketOption::name).collect(Collectors.toSet());
    }

    /// Accepts the peer, sends it a byte, and closes both. A listener may accept two connections in either order.
    private static void exchange(MixedSocketImpl each, ServerSocket server) throws IOException {
        try (Socket peer = server.accept()) {
            each.getOutputStream().write(9);
            assertThat(peer.getInputStream().read()).isEqualTo(9);
            each.shutdownOutput();
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
        }
        each.close();
    }

    @ParameterizedTest
    @EnumSource
    void aHostOrAddressAndAPortAreConnectedTo(Places place) throws IOException {
        try (var server = new OurServer()) {
            server.bind(place.address());
            InetAddress host = server.getInetAddress();
            assertThat(server.ours.getOption(SocketOptions.SO_BINDADDR)).isEqualTo(host);
            var byName = new MixedSocketImpl(PROVIDER, false);
            var byAddress = new MixedSocketImpl(PROVIDER, false);
            byName.connect(host.getHostAddress(), server.getLocalPort());
            exchange(byName, server);
            byAddress.connect(host, server.getLocalPort());
            exchange(byAddress, server);
            server.setSoTimeout(1);
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("Accept timed out");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCloseEndsAnAcceptThatWaits(Places place) throws Exception {
        var server = new OurServer();
        server.bind(place.address());
        var closer = new Thread(() -> {
            try {
                Thread.sleep(ACCEPTING_MILLIS);
                server.close();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        closer.start();
        assertThatThrownBy(server::accept).isInstanceOf(SocketException.class).hasMessage("Socket closed");
        closer.join();
    }

    @Test
    void theListenerHasTheBacklogOfTheSocket() throws Exception {
        var onlyRdma = new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *")));
        try (
                var server = new OurServer();
                var first = new OurSocket();
                var second = new OurSocket(new MixedSocketImpl(onlyRdma, false))) {
            server.bind(Places.RDMA.address(), 1);
            first.connect(server.getLocalSocketAddress());
            assertThatThrownBy(() -> second.connect(server.getLocalSocketAddress(), READ_MILLIS))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    /// A read or accept must time out after its own timeout, without waiting for those of earlier calls.
    private static void assertAllTimeOutAtTheSameTime(ThrowingCallable call) throws InterruptedException {
        long begin = System.nanoTime();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < READERS; i++) {
            threads.add(Thread.startVirtualThread(
                    () -> assertThatThrownBy(call).isInstanceOf(SocketTimeoutException.class)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(System.nanoTime() - begin).isLessThan(READERS * READ_MILLIS * 1_000_000L / 2);
    }

    @Test
    void readsAtTheSameTimeTimeOutAtTheSameTime() throws Exception {
        try (var server = new OurServer(); var socket = new OurSocket()) {
            server.bind(Places.RDMA.address());
            socket.connect(server.getLocalSocketAddress());
            socket.setSoTimeout(READ_MILLIS);
            assertAllTimeOutAtTheSameTime(() -> socket.getInputStream().read());
        }
    }

    @Test
    void acceptsAtTheSameTimeTimeOutAtTheSameTime() throws Exception {
        try (var server = new OurServer()) {
            server.bind(Places.RDMA.address());
            server.setSoTimeout(READ_MILLIS);
            assertAllTimeOutAtTheSameTime(server::accept);
        }
    }
}
