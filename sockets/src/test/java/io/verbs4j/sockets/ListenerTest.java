// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.support.OpenFiles;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests the transports and addresses of listeners, and accepts that end without a peer.
@Timeout(60)
class ListenerTest {
    private static final String RING = "verbs4j.sockets.ring";

    private static ServerSocketChannel listener(String rule) {
        return new RdmaSelectorProvider(SocketRules.parse("test", List.of(rule))).openServerSocketChannel();
    }

    private static InetSocketAddress address(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    @ParameterizedTest
    @CsvSource({
            "tcp bind * *,                 0.0.0.0,   TCP,          0",
            "rdma-or-tcp bind * *,         0.0.0.0,   RDMA and TCP, 0",
            "rdma bind * *,                0.0.0.0,   RDMA and TCP, 0",
            "rdma-or-tcp bind 127.0.0.1 *, 127.0.0.1, TCP,          1",
            "rdma bind 10.9.0.2 *,         10.9.0.2,  RDMA,         0",
            "rdma-or-tcp bind * *,         10.9.0.2,  RDMA,         0",
    })
    void theRuleAndTheAddressDecide(String rule, String host, String transports, int fallbacks) throws IOException {
        long before = SocketReport.now().fallbacks();
        try (ServerSocketChannel server = listener(rule)) {
            server.bind(address(host, 0));
            assertThat(server.toString()).startsWith("listener over " + transports + ": ");
            assertThat(((InetSocketAddress) server.getLocalAddress()).getPort()).isPositive();
            assertThat(SocketReport.now().fallbacks()).isEqualTo(before + fallbacks);
            assertThatThrownBy(() -> server.bind(address(host, 0))).isInstanceOf(AlreadyBoundException.class);
        }
    }

    @Test
    void whereOnlyRdmaIsAllowedAnAddressOfNoDeviceIsRefused() throws IOException {
        try (ServerSocketChannel server = listener("rdma bind 127.0.0.1 *")) {
            assertThatThrownBy(() -> server.bind(address("127.0.0.1", 0))).isInstanceOf(SocketException.class)
                    .hasCauseInstanceOf(RuntimeException.class);
            assertThat(server).hasToString("listener over nothing yet: null");
            assertThatThrownBy(server::accept).isInstanceOf(NotYetBoundException.class);
        }
    }

    /// Another listener has taken the port over RDMA.
    @Test
    void aPortThatIsTakenOverRdmaIsNotServedOverTcpOnlyIfTheRulesForbidIt() throws IOException {
        InetSocketAddress taken = Places.RDMA.address();
        var anywhere = address("0.0.0.0", taken.getPort());
        try (
                ServerSocketChannel _ = listener("rdma bind * *").bind(taken);
                ServerSocketChannel strict = listener("rdma bind * *");
                ServerSocketChannel either = listener("rdma-or-tcp bind * *")) {
            assertThatThrownBy(() -> strict.bind(anywhere)).isInstanceOf(BindException.class)
                    .hasMessage("Cannot assign requested address");
            assertThatThrownBy(() -> strict.bind(taken)).isInstanceOf(BindException.class)
                    .hasMessage("Address already in use");
            long before = SocketReport.now().fallbacks();
            either.bind(anywhere);
            assertThat(either.toString()).startsWith("listener over TCP: ");
            assertThat(SocketReport.now().fallbacks()).isEqualTo(before + 1);
        }
    }

    /// The channel for TCP listens already when the listener over RDMA fails.
    @Test
    void aListenerThatCannotBeCreatedLeavesItsPortFree() throws IOException {
        InetSocketAddress anywhere = address("0.0.0.0", Places.RDMA.address().getPort());
        String ring = System.getProperty(RING, "");
        try (ServerSocketChannel server = listener("rdma bind * *")) {
            System.setProperty(RING, "64K");
            assertThatThrownBy(() -> server.bind(anywhere)).isInstanceOf(SocketException.class)
                    .hasMessage("verbs4j.sockets.ring=64K is not a number");
        } finally {
            System.setProperty(RING, ring);
        }
        try (ServerSocketChannel tcp = JdkProvider.get().openServerSocketChannel()) {
            assertThatNoException().isThrownBy(() -> tcp.bind(anywhere));
        }
    }

    @Test
    void familiesHaveChannelsOfTheirOwn() throws IOException {
        var provider = new RdmaSelectorProvider();
        try (
                ServerSocketChannel four = provider.openServerSocketChannel(StandardProtocolFamily.INET);
                ServerSocketChannel six = provider.openServerSocketChannel(StandardProtocolFamily.INET6);
                ServerSocketChannel unix = provider.openServerSocketChannel(StandardProtocolFamily.UNIX);
                SocketChannel client = provider.openSocketChannel(StandardProtocolFamily.INET);
                SocketChannel unixClient = provider.openSocketChannel(StandardProtocolFamily.UNIX)) {
            assertThatThrownBy(() -> four.bind(address("::1", 0))).isInstanceOf(UnsupportedAddressTypeException.class);
            assertThatThrownBy(() -> four.bind(UnixDomainSocketAddress.of("x")))
                    .isInstanceOf(UnsupportedAddressTypeException.class);
            assertThatThrownBy(() -> client.connect(address("::1", 1)))
                    .isInstanceOf(UnsupportedAddressTypeException.class);
            four.bind(null);
            assertThat(four.getLocalAddress()).isEqualTo(address("0.0.0.0", four.socket().getLocalPort()));
            client.bind(null);
            assertThat(client.getLocalAddress()).isEqualTo(address("0.0.0.0", client.socket().getLocalPort()));
            assertThat(six).isInstanceOf(MixedServerChannel.class);
            assertThat(unix).isNotInstanceOf(MixedServerChannel.class);
            assertThat(unixClient).isNotInstanceOf(MixedChannel.class);
            assertThat(provider.inheritedChannel()).isNull();
            assertThat(provider).hasToString("sockets over RDMA: RDMA where possible");
            try (SelectableChannel datagrams = provider.openDatagramChannel(StandardProtocolFamily.INET)) {
                assertThat(datagrams.provider()).isSameAs(JdkProvider.get());
            }
        }
        assertThatThrownBy(() -> provider.openSocketChannel(null)).isInstanceOf(NullPointerException.class)
                .hasMessage("family");
    }

    /// Starts an accept in a thread. Returns when the thread waits.
    static <T> CompletableFuture<T> accepting(Callable<T> accept, List<Thread> threads) {
        var accepted = new CompletableFuture<T>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                accepted.complete(accept.call());
            } catch (Exception e) {
                accepted.completeExceptionally(e);
            }
        });
        threads.add(thread);
        awaitSelecting(thread);
        return accepted;
    }

    /// Waits until a thread waits in a selector, or has ended.
    static void awaitSelecting(Thread thread) {
        while (thread.isAlive() && !isSelecting(thread)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isSelecting(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("epollWait") || frame.getMethodName().equals("wait")) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("try") // closes within the statement
    void closingEndsAnAcceptThatWaits(Places place) throws Exception {
        var threads = new ArrayList<Thread>();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(place.address())) {
            CompletableFuture<SocketChannel> accepted = accepting(server::accept, threads);
            server.close();
            assertThatThrownBy(() -> accepted.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isExactlyInstanceOf(AsynchronousCloseException.class);
            assertThatThrownBy(server::accept).isExactlyInstanceOf(ClosedChannelException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePortIsFreeAfterClosingThoughAThreadAccepts(Places place) throws Exception {
        SocketAddress address = place.address();
        for (int i = 0; i < 50; i++) {
            ServerSocketChannel server = ServerSocketChannel.open().bind(address);
            address = server.getLocalAddress();
            CompletableFuture<SocketChannel> accepted = accepting(server::accept, new ArrayList<>());
            server.close();
            ServerSocketChannel.open().bind(address).close();
            assertThatThrownBy(() -> accepted.get(30, TimeUnit.SECONDS))
                    .hasCauseExactlyInstanceOf(AsynchronousCloseException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    @EnabledOnOs(OS.LINUX)
    @SuppressWarnings("try") // closes within the statement
    void acceptsOfAListenerUseOneSelectorUntilTheListenerIsClosed(Places place) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(place.address())) {
            long before = selectors();
            server.socket().setSoTimeout(1);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> server.socket().accept()).isInstanceOf(SocketTimeoutException.class);
                assertThat(selectors()).isEqualTo(before + 1);
            }
            server.close();
            assertThat(selectors()).isEqualTo(before);
        }
    }

    private static long selectors() {
        return OpenFiles.count("anon_inode:[eventpoll]");
    }

    /// As with the JDK's adaptors, whose exceptions differ from those of sockets without a channel.
    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("try") // closes within the statement
    void closingEndsAnAcceptOfAnAdaptor(Places place) throws Exception {
        for (boolean adaptor : new boolean[]{true, false}) {
            var threads = new ArrayList<Thread>();
            try (
                    ServerSocket server = adaptor
                            ? ServerSocketChannel.open().socket()
                            : new RdmaServerSocketFactory().createServerSocket()) {
                server.bind(place.address());
                CompletableFuture<?> accepted = accepting(server::accept, threads);
                server.close();
                assertThatThrownBy(() -> accepted.get(30, TimeUnit.SECONDS)).cause()
                        .isExactlyInstanceOf(
                                adaptor ? AsynchronousCloseException.class : SocketException.class);
            }
        }
    }

    /// The JDK's adaptors have always done so.
    @ParameterizedTest
    @EnumSource
    void anAdaptorInNonBlockingModeAcceptsAPeerThatWaits(Places place) throws Exception {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                SocketChannel peer = SocketChannel.open(server.getLocalAddress());
                Selector selector = Selector.open()) {
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            selector.select();
            server.socket().accept().close();
            assertThatThrownBy(server.socket()::accept).isExactlyInstanceOf(IllegalBlockingModeException.class);
            assertThat(peer.isConnected()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptClosesAListenerThatWaits(Places place) throws Exception {
        var threads = new ArrayList<Thread>();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(place.address())) {
            CompletableFuture<SocketChannel> accepted = accepting(server::accept, threads);
            threads.getFirst().interrupt();
            assertThatThrownBy(() -> accepted.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(server.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptBeforeTheAcceptClosesTheListenerToo(Places place) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(place.address())) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(server::accept).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(server.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterATimeoutTheListenerAcceptsTheNextPeer(Places place) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(place.address())) {
            server.socket().setSoTimeout(20);
            long start = System.nanoTime();
            assertThatThrownBy(() -> server.socket().accept()).isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("Accept timed out");
            assertThat(System.nanoTime() - start).isBetween(20_000_000L, 20_000_000_000L);
            server.socket().setSoTimeout(20_000);
            try (
                    SocketChannel here = SocketChannel.open(server.getLocalAddress());
                    SocketChannel there = server.socket().accept().getChannel()) {
                here.write(ByteBuffer.allocate(3));
                assertThat(there.read(ByteBuffer.allocate(5))).isPositive();
                assertThat(there.isBlocking()).isTrue();
            }
            assertThat(server.isBlocking()).isTrue();
            try (Selector selector = Selector.open()) {
                server.configureBlocking(false);
                SelectionKey key = server.register(selector, SelectionKey.OP_ACCEPT);
                key.cancel();
                server.configureBlocking(true);
                assertThat(server.isRegistered()).isTrue();
                assertThat(selector.selectNow()).isZero();
                assertThat(server.isRegistered()).isFalse();
            }
        }
    }
}
