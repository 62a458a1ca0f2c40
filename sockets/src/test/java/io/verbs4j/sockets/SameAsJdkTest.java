// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// In each state, each method of a channel and its socket has the same result as the JDK's method, over RDMA and over
/// TCP: a value, or the same kind of exception.
@Timeout(60)
class SameAsJdkTest {
    /// Calls whose results differ, by state. The JDK checks the size of a buffer after the state. Writes of the JDK
    /// after the end of the output throw AsynchronousCloseException, which extends ClosedChannelException.
    private static final Map<State, Set<String>> DIFFERENT = Map.of(
            State.WITHOUT_INPUT, Set.of("channel read nothing"),
            State.WITHOUT_OUTPUT, Set.of("channel write", "channel write nothing", "channel write parts"),
            State.CLOSED_NEW, Set.of("channel set a buffer", "socket shutdownInput", "socket shutdownOutput"),
            State.CLOSED, Set.of("channel set a buffer", "socket shutdownInput", "socket shutdownOutput"));
    private static final Set<String> DIFFERENT_OF_CLOSED_SERVERS =
            Set.of("server accept without blocking", "server bind socket");

    /// Brings a new channel or socket into a state.
    interface Entry<T> {
        void enter(T socket, SocketAddress peer) throws IOException;
    }

    /// A state of a channel, and the steps to it from a new channel and the address of a listener.
    private enum State {
        NEW((_, _) -> {}),
        BOUND((channel, peer) -> channel.bind(new InetSocketAddress(((InetSocketAddress) peer).getAddress(), 0))),
        CONNECTED(SocketChannel::connect),
        WITHOUT_INPUT((channel, peer) -> {
            channel.connect(peer);
            channel.shutdownInput();
        }),
        WITHOUT_OUTPUT((channel, peer) -> {
            channel.connect(peer);
            channel.socket().shutdownOutput();
        }),
        CLOSED_NEW((channel, _) -> channel.close()),
        CLOSED((channel, peer) -> {
            channel.connect(peer);
            channel.close();
        });

        private final Entry<SocketChannel> entry;

        State(Entry<SocketChannel> entry) {
            this.entry = entry;
        }
    }

    private static Map<String, Callable<Object>> channelCalls(SocketChannel channel) {
        var calls = new LinkedHashMap<String, Callable<Object>>();
        calls.put("isOpen", channel::isOpen);
        calls.put("isBlocking", channel::isBlocking);
        calls.put("isConnected", channel::isConnected);
        calls.put("isConnectionPending", channel::isConnectionPending);
        calls.put("getLocalAddress", () -> channel.getLocalAddress() != null);
        calls.put("getRemoteAddress", () -> channel.getRemoteAddress() != null);
        calls.put("finishConnect", channel::finishConnect);
        calls.put("validOps", channel::validOps);
        calls.put("provider", () -> channel.provider() != null);
        calls.put("write", () -> channel.write(ByteBuffer.allocate(3)));
        calls.put("write nothing", () -> channel.write(ByteBuffer.allocate(0)));
        calls.put("write parts", () -> channel.write(new ByteBuffer[]{ByteBuffer.allocate(3)}, 0, 1));
        calls.put("write wrong parts", () -> channel.write(new ByteBuffer[]{ByteBuffer.allocate(3)}, 1, 1));
        calls.put("read nothing", () -> channel.read(ByteBuffer.allocate(0)));
        calls.put("read wrong parts", () -> channel.read(new ByteBuffer[]{ByteBuffer.allocate(3)}, 0, 2));
        for (SocketOption<Boolean> option : List.of(
                StandardSocketOptions.TCP_NODELAY, StandardSocketOptions.SO_KEEPALIVE,
                StandardSocketOptions.SO_REUSEADDR)) {
            calls.put("set " + option, () -> channel.setOption(option, true) == channel);
            calls.put("get " + option, () -> channel.getOption(option));
        }
        calls.put("set a buffer", () -> channel.setOption(StandardSocketOptions.SO_SNDBUF, -1) == channel);
        calls.put("bind", () -> channel.bind(new InetSocketAddress("127.0.0.1", 0)) == channel);
        return calls;
    }

    private static Map<String, Callable<Object>> socketCalls(Socket socket) {
        var calls = new LinkedHashMap<String, Callable<Object>>();
        calls.put("isBound", socket::isBound);
        calls.put("isClosed", socket::isClosed);
        calls.put("isInputShutdown", socket::isInputShutdown);
        calls.put("isOutputShutdown", socket::isOutputShutdown);
        calls.put("getPort", () -> Integer.signum(socket.getPort()));
        calls.put("getLocalPort", () -> Integer.signum(socket.getLocalPort()));
        calls.put("getInetAddress", () -> socket.getInetAddress() != null);
        calls.put("getLocalAddress", () -> socket.getLocalAddress() != null);
        calls.put("getRemoteSocketAddress", () -> socket.getRemoteSocketAddress() != null);
        calls.put("getLocalSocketAddress", () -> socket.getLocalSocketAddress() != null);
        calls.put("getInputStream", () -> socket.getInputStream() != null);
        calls.put("getOutputStream", () -> socket.getOutputStream() != null);
        calls.put("set timeout", () -> {
            socket.setSoTimeout(77);
            return socket.getSoTimeout();
        });
        calls.put("set wrong timeout", () -> {
            socket.setSoTimeout(-1);
            return 0;
        });
        calls.put("set linger", () -> {
            socket.setSoLinger(true, 5);
            return socket.getSoLinger();
        });
        calls.put("set no linger", () -> {
            socket.setSoLinger(false, 5);
            return socket.getSoLinger();
        });
        calls.put("set no delay", () -> {
            socket.setTcpNoDelay(true);
            return socket.getTcpNoDelay();
        });
        calls.put("set keep alive", () -> {
            socket.setKeepAlive(true);
            return socket.getKeepAlive();
        });
        calls.put("set reuse", () -> {
            socket.setReuseAddress(true);
            return socket.getReuseAddress();
        });
        for (var local : List.of(new InetSocketAddress(0), InetSocketAddress.createUnresolved("nowhere", 0))) {
            calls.put("bind socket again to " + local, () -> {
                socket.bind(local);
                return 0;
            });
        }
        calls.put("set wrong buffer", () -> {
            socket.setSendBufferSize(0);
            return 0;
        });
        calls.put("get send buffer", () -> socket.getSendBufferSize() > 0);
        calls.put("get receive buffer", () -> socket.getReceiveBufferSize() > 0);
        calls.put("set receive buffer", () -> {
            socket.setReceiveBufferSize(20_000);
            return socket.getReceiveBufferSize() >= 20_000;
        });
        calls.put("set option", () -> socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true) == socket);
        calls.put("get option", () -> socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
        calls.put("set no option", () -> socket.setOption(null, true));
        calls.put("getOOBInline", socket::getOOBInline);
        calls.put("connect to null", () -> {
            socket.connect(null);
            return 0;
        });
        calls.put("connect with a wrong timeout", () -> {
            socket.connect(new InetSocketAddress("127.0.0.1", 1), -1);
            return 0;
        });
        calls.put("available", () -> socket.getInputStream().available());
        calls.put("read no bytes", () -> socket.getInputStream().read(new byte[3], 1, 0));
        calls.put("read a wrong range", () -> socket.getInputStream().read(new byte[3], 1, 3));
        calls.put("write no bytes", () -> {
            socket.getOutputStream().write(new byte[3], 1, 0);
            return 0;
        });
        calls.put("write a wrong range", () -> {
            socket.getOutputStream().write(new byte[3], 1, 3);
            return 0;
        });
        calls.put("getChannel", () -> socket.getChannel().getClass() != null);
        calls.put("shutdownInput", () -> {
            socket.shutdownInput();
            return socket.isInputShutdown();
        });
        calls.put("available without input", () -> socket.getInputStream().available());
        calls.put("shutdownOutput", () -> {
            socket.shutdownOutput();
            return socket.isOutputShutdown();
        });
        calls.put("connect to an unknown host", () -> {
            socket.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1));
            return 0;
        });
        calls.put("isClosed afterwards", socket::isClosed);
        return calls;
    }

    private static List<String> results(SelectorProvider provider, Places place, State state) throws IOException {
        var results = new ArrayList<String>();
        try (
                ServerSocketChannel server = provider.openServerSocketChannel().bind(place.address());
                SocketChannel channel = provider.openSocketChannel();
                SocketChannel other = provider.openSocketChannel()) {
            state.entry.enter(channel, server.getLocalAddress());
            add("channel", channelCalls(channel), results);
            state.entry.enter(other, server.getLocalAddress());
            add("socket", socketCalls(other.socket()), results);
        }
        return without(DIFFERENT.getOrDefault(state, Set.of()), results);
    }

    static void add(String object, Map<String, Callable<Object>> calls, List<String> results) {
        calls.forEach((name, call) -> {
            String result;
            try {
                result = String.valueOf(call.call());
            } catch (Exception e) {
                result = e.getClass().getSimpleName();
            }
            results.add(object + " " + name + ": " + result);
        });
    }

    private static List<String> without(Set<String> calls, List<String> results) {
        return results.stream().filter(result -> !calls.contains(result.substring(0, result.indexOf(':')))).toList();
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void eachCallHasTheResultOfTheJdks(State state) throws IOException {
        List<String> expected = results(JdkProvider.get(), Places.TCP, state);
        SelectorProvider ours = SelectorProvider.provider();
        assertThat(results(ours, Places.TCP, state)).isEqualTo(expected);
        if (state != State.BOUND) { // the machine does not have the simulated address
            assertThat(results(ours, Places.RDMA, state)).isEqualTo(expected);
        }
    }

    private static List<String> serverResults(SelectorProvider provider, Places place, boolean closed)
            throws IOException {
        var results = new ArrayList<String>();
        ServerSocketChannel server = provider.openServerSocketChannel().bind(place.address());
        try {
            ServerSocket socket = server.socket();
            server.configureBlocking(false);
            if (closed) {
                server.close();
            }
            var calls = new LinkedHashMap<String, Callable<Object>>();
            calls.put("isOpen", server::isOpen);
            calls.put("accept", () -> server.accept() == null);
            calls.put("getLocalAddress", () -> server.getLocalAddress() != null);
            calls.put("validOps", server::validOps);
            calls.put("set reuse", () -> server.setOption(StandardSocketOptions.SO_REUSEADDR, true) == server);
            calls.put("get reuse", () -> server.getOption(StandardSocketOptions.SO_REUSEADDR));
            calls.put("bind", () -> server.bind(place.address()) == server);
            calls.put("isBound", socket::isBound);
            calls.put("isClosed", socket::isClosed);
            calls.put("getLocalPort", () -> Integer.signum(socket.getLocalPort()));
            calls.put("getInetAddress", () -> socket.getInetAddress() != null);
            calls.put("getLocalSocketAddress", () -> socket.getLocalSocketAddress() != null);
            calls.put("set timeout", () -> {
                socket.setSoTimeout(5);
                return socket.getSoTimeout();
            });
            calls.put("set wrong timeout", () -> {
                socket.setSoTimeout(-5);
                return 0;
            });
            calls.put("set wrong buffer", () -> {
                socket.setReceiveBufferSize(0);
                return 0;
            });
            calls.put("get receive buffer", () -> socket.getReceiveBufferSize() > 0);
            calls.put("set reuse of socket", () -> {
                socket.setReuseAddress(true);
                return socket.getReuseAddress();
            });
            calls.put("set option", () -> socket.setOption(StandardSocketOptions.SO_REUSEADDR, true) == socket);
            calls.put("get option", () -> socket.getOption(StandardSocketOptions.SO_REUSEADDR));
            calls.put("options", () -> socket.supportedOptions().contains(StandardSocketOptions.SO_RCVBUF));
            calls.put("accept without blocking", socket::accept);
            calls.put("getChannel", () -> socket.getChannel() == server);
            calls.put("bind socket", () -> {
                socket.bind(place.address());
                return 0;
            });
            add("server", calls, results);
        } finally {
            server.close();
        }
        return without(closed ? DIFFERENT_OF_CLOSED_SERVERS : Set.of(), results);
    }

    @ParameterizedTest
    @EnumSource(Places.class)
    void eachCallOfAServerHasTheResultOfTheJdks(Places place) throws IOException {
        for (boolean closed : new boolean[]{false, true}) {
            assertThat(serverResults(SelectorProvider.provider(), place, closed))
                    .isEqualTo(serverResults(JdkProvider.get(), Places.TCP, closed));
        }
    }

    /// Returns the results of a socket's streams after the peer has sent a byte and ended its output.
    private static List<String> streamResults(SelectorProvider provider, Places place) throws IOException {
        var results = new ArrayList<String>();
        try (
                ServerSocketChannel server = provider.openServerSocketChannel().bind(place.address());
                Socket here = provider.openSocketChannel().socket()) {
            here.connect(server.getLocalAddress());
            try (Socket there = server.accept().socket()) {
                there.getOutputStream().write(200);
                there.shutdownOutput();
                InputStream in = here.getInputStream();
                OutputStream out = here.getOutputStream();
                var calls = new LinkedHashMap<String, Callable<Object>>();
                calls.put("read", in::read);
                calls.put("read the end", in::read);
                calls.put("read the end into an array", () -> in.read(new byte[3]));
                calls.put("available", in::available);
                calls.put("write", () -> {
                    out.write(511);
                    return there.getInputStream().read();
                });
                calls.put("connect again", () -> {
                    here.connect(server.getLocalAddress(), 5);
                    return 0;
                });
                calls.put("unblocked", () -> here.getChannel().configureBlocking(false) == here.getChannel());
                calls.put("read unblocked", in::read);
                calls.put("write unblocked", () -> {
                    out.write(1);
                    return 0;
                });
                calls.put("connect unblocked", () -> {
                    here.connect(server.getLocalAddress(), 5);
                    return 0;
                });
                calls.put("close", () -> {
                    in.close();
                    return here.isClosed();
                });
                calls.put("read nothing closed", () -> in.read(new byte[0]));
                calls.put("available closed", in::available);
                calls.put("read closed", in::read);
                calls.put("write closed", () -> {
                    out.write(1);
                    return 0;
                });
                calls.put("close output", () -> {
                    out.close();
                    return here.isClosed();
                });
                add("stream", calls, results);
            }
        }
        return results;
    }

    @ParameterizedTest
    @EnumSource(Places.class)
    void eachCallOfAStreamHasTheResultOfTheJdks(Places place) throws IOException {
        assertThat(streamResults(SelectorProvider.provider(), place))
                .isEqualTo(streamResults(JdkProvider.get(), Places.TCP));
    }

    /// Programs that use a factory expect the exceptions of the JDK's sockets, not those of its adaptors.
    @ParameterizedTest
    @EnumSource(Places.class)
    @SuppressWarnings("try") // closes within the statement
    void theStreamsOfAClosedSocketThrowAsThoseOfSocketsDo(Places place) throws IOException {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                Socket here = new RdmaSocketFactory().createSocket()) {
            here.connect(server.getLocalAddress());
            InputStream in = here.getInputStream();
            OutputStream out = here.getOutputStream();
            here.close();
            for (Callable<?> call : List.<Callable<?>>of(in::read, in::available, () -> {
                out.write(1);
                return 0;
            })) {
                assertThatThrownBy(call::call).isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
            }
            assertThatThrownBy(() -> here.setSoLinger(true, -1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("invalid value for SO_LINGER");
        }
    }
}
