// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Compares the whole text of each refusal of sockets, selectors and rules.
@Timeout(60)
class RefusedCallsTest {
    private static final RdmaSelectorProvider PROVIDER = new RdmaSelectorProvider();

    private static void assertRefused(String message, Map<String, ThrowingCallable> calls) {
        calls.forEach(
                (name, call) -> assertThatThrownBy(call).as(name)
                        .isExactlyInstanceOf(SocketException.class)
                        .hasMessage(message));
    }

    private static Map<String, ThrowingCallable> settings(Socket socket) {
        var calls = new LinkedHashMap<String, ThrowingCallable>();
        calls.put("setSoTimeout", () -> socket.setSoTimeout(1));
        calls.put("getSoTimeout", socket::getSoTimeout);
        calls.put("setSoLinger", () -> socket.setSoLinger(true, 1));
        calls.put("getSoLinger", socket::getSoLinger);
        calls.put("setTcpNoDelay", () -> socket.setTcpNoDelay(true));
        calls.put("getTcpNoDelay", socket::getTcpNoDelay);
        calls.put("setKeepAlive", () -> socket.setKeepAlive(true));
        calls.put("getKeepAlive", socket::getKeepAlive);
        calls.put("setReuseAddress", () -> socket.setReuseAddress(true));
        calls.put("getReuseAddress", socket::getReuseAddress);
        calls.put("setSendBufferSize", () -> socket.setSendBufferSize(5000));
        calls.put("getSendBufferSize", socket::getSendBufferSize);
        calls.put("setReceiveBufferSize", () -> socket.setReceiveBufferSize(5000));
        calls.put("getReceiveBufferSize", socket::getReceiveBufferSize);
        calls.put("getOOBInline", socket::getOOBInline);
        return calls;
    }

    private static Map<String, ThrowingCallable> streams(Socket socket) {
        var calls = new LinkedHashMap<String, ThrowingCallable>();
        calls.put("getInputStream", socket::getInputStream);
        calls.put("getOutputStream", socket::getOutputStream);
        calls.put("shutdownInput", socket::shutdownInput);
        calls.put("shutdownOutput", socket::shutdownOutput);
        return calls;
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("try") // closes within the statement
    void aSocketNamesTheStateThatRefusesACall(Places place) throws IOException {
        try (
                ServerSocket server = new RdmaServerSocketFactory(PROVIDER).createServerSocket();
                Socket socket = new RdmaSocketFactory(PROVIDER).createSocket()) {
            server.bind(place.address());
            assertRefused("Socket is not connected", streams(socket));
            assertThat(socket.getPort()).isZero();
            assertThat(socket.getLocalPort()).isEqualTo(-1);
            assertThat(socket.getInetAddress()).isNull();
            assertThat(socket.getRemoteSocketAddress()).isNull();
            assertThat(socket.getLocalSocketAddress()).isNull();
            assertThat(socket.getTrafficClass()).isZero();
            socket.connect(server.getLocalSocketAddress());
            assertRefused("Already connected",
                    Map.of("connect", () -> socket.connect(server.getLocalSocketAddress())));
            socket.shutdownInput();
            assertRefused("Socket input is shutdown", Map.of("getInputStream", socket::getInputStream));
            socket.shutdownOutput();
            assertRefused("Socket output is shutdown", Map.of("getOutputStream", socket::getOutputStream));
            assertThatThrownBy(() -> socket.connect(null)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("connect: The address can't be null");
            assertThatThrownBy(() -> socket.connect(server.getLocalSocketAddress(), -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("connect: timeout can't be negative");
            assertThatThrownBy(() -> socket.setSoTimeout(-1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("timeout can't be negative");
            socket.close();
            var calls = new LinkedHashMap<String, ThrowingCallable>();
            calls.putAll(settings(socket));
            calls.putAll(streams(socket));
            calls.put("connect", () -> socket.connect(server.getLocalSocketAddress()));
            assertRefused("Socket is closed", calls);
        }
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("try") // closes within the statement
    void aServerSocketNamesTheStateThatRefusesACall(Places place) throws IOException {
        try (
                ServerSocket server = new RdmaServerSocketFactory(PROVIDER).createServerSocket();
                ServerSocket unbound = new RdmaServerSocketFactory(PROVIDER).createServerSocket()) {
            assertRefused("Socket is not bound yet", Map.of("accept", unbound::accept));
            assertRefused("Unresolved address",
                    Map.of("bind", () -> unbound.bind(InetSocketAddress.createUnresolved("some.host", 1))));
            server.bind(place.address());
            assertRefused("Already bound", Map.of("bind", () -> server.bind(place.address())));
            assertThatThrownBy(() -> server.setSoTimeout(-1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("timeout < 0");
            server.getChannel().configureBlocking(false);
            assertThatThrownBy(server::accept).isInstanceOf(IllegalBlockingModeException.class);
            server.setSoTimeout(7);
            assertThat(server.getSoTimeout()).isEqualTo(7);
            server.setReceiveBufferSize(5000);
            assertThat(server.getReceiveBufferSize()).isGreaterThanOrEqualTo(5000);
            server.setReuseAddress(true);
            assertThat(server.getReuseAddress()).isTrue();
            for (ServerSocket closed : List.of(server, unbound)) {
                SocketAddress address = closed.getLocalSocketAddress();
                int port = closed.getLocalPort();
                closed.close();
                assertThat(closed.isClosed()).isTrue();
                var calls = new LinkedHashMap<String, ThrowingCallable>();
                calls.put("accept", closed::accept);
                calls.put("bind", () -> closed.bind(null));
                calls.put("bind with a backlog", () -> closed.bind(place.address(), 3));
                calls.put("setSoTimeout", () -> closed.setSoTimeout(1));
                calls.put("getSoTimeout", closed::getSoTimeout);
                calls.put("setReuseAddress", () -> closed.setReuseAddress(true));
                calls.put("getReuseAddress", closed::getReuseAddress);
                calls.put("setReceiveBufferSize", () -> closed.setReceiveBufferSize(5000));
                calls.put("getReceiveBufferSize", closed::getReceiveBufferSize);
                assertRefused("Socket is closed", calls);
                assertThat(closed.getLocalSocketAddress()).isEqualTo(address);
                assertThat(closed.getLocalPort()).isEqualTo(port);
            }
        }
    }

    @Test
    void aSelectorRefusesWhatItsStateForbids() throws IOException {
        var refusals = new ArrayList<String>();
        Selector selector = PROVIDER.openSelector();
        try (var server = PROVIDER.openServerSocketChannel(); var client = PROVIDER.openSocketChannel()) {
            server.bind(Places.TCP.address()).configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> selector.select(-1), () -> selector.select(_ -> {}, -1))) {
                assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("timeout=-1 is negative");
            }
            assertThat(selector.select(1)).isZero();
            assertThat(selector.select(_ -> refusals.add("nothing is ready"), 1)).isZero();
            client.connect(server.getLocalAddress());
            assertThat(selector.select(key -> {
                assertThat(key.isAcceptable()).isTrue();
                try {
                    selector.selectNow();
                } catch (IOException | IllegalStateException e) {
                    refusals.add(String.valueOf(e.getMessage()));
                }
            })).isOne();
            assertThat(refusals)
                    .containsExactly("a select of this selector is in progress in this thread");
            assertThat(selector.selectNow()).as("afterwards").isOne();
        } finally {
            selector.close();
        }
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                selector::select, selector::selectNow, () -> selector.select(1), selector::keys,
                selector::selectedKeys)) {
            assertThatThrownBy(call).isInstanceOf(ClosedSelectorException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "tcp bind *             | 3 words instead of 4",
            "tcp bind * * *         | 5 words instead of 4",
            "tcp bind * 65536       | port 65536 is not within 0 to 65535",
            "tcp bind * -1          | For input string: \"\"",
            "tcp bind * 5-65536     | port 65536 is not within 0 to 65535",
            "tcp bind 10.0.0.0/33 * | a prefix of 33 bits is longer than an address of 32 bits",
            "tcp bind 10.0.0.0/-1 * | a prefix of -1 bits is longer than an address of 32 bits",
            "tcp bind /8 *          | a prefix needs an address",
            "tcp bind fd00::/129 *  | a prefix of 129 bits is longer than an address of 128 bits",
            "tcp listen * *         | No enum constant io.verbs4j.sockets.SocketRules.Action.LISTEN",
    })
    void aRuleThatCannotBeReadIsNamed(String rule, String cause) {
        assertThatThrownBy(() -> SocketRules.parse("my.rules", List.of("tcp connect * *", "# a comment", rule)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "my.rules, line 3: " + cause + "; a rule is: rdma|tcp|rdma-or-tcp connect|bind"
                                + " HOST|*|ADDRESS/PREFIX PORT|*|FROM-TO");
        assertThat(SocketRules.parse("none", List.of(""))).hasToString("RDMA where possible");
        assertThat(SocketRules.parse("limits",
                List.of("tcp bind 10.0.0.0/0 0-65535", "tcp bind fd00::/128 65535", "rdma bind 10.0.0.0/32 0")))
                .hasToString("3 rules");
    }

    @ParameterizedTest
    @EnumSource
    void anOptionOfTheChannelIsThatOfTheSocket(Places place) throws IOException {
        try (
                ServerSocket server = new RdmaServerSocketFactory(PROVIDER).createServerSocket();
                Socket socket = new RdmaSocketFactory(PROVIDER).createSocket()) {
            server.bind(place.address());
            socket.setTcpNoDelay(true);
            socket.setSoLinger(true, 9);
            socket.connect(server.getLocalSocketAddress());
            assertThat(socket.getChannel().getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            assertThat(socket.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(9);
            assertThat(socket.supportedOptions()).isEqualTo(socket.getChannel().supportedOptions());
            assertThat(server.supportedOptions()).isEqualTo(server.getChannel().supportedOptions());
            assertThat(server.getOption(StandardSocketOptions.SO_REUSEADDR))
                    .isEqualTo(server.getChannel().getOption(StandardSocketOptions.SO_REUSEADDR));
        }
    }
}
