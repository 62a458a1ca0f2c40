// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Gid;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Both parts against a peer that reads and writes as the C programs do.
@Timeout(20)
class PingPongExchangeTest {
    private static final PingPongAddress OURS = new PingPongAddress(0, 0x11, 0xabcdef, new Gid(0, 0xffff0a090001L));
    private static final PingPongAddress THEIRS = new PingPongAddress(0, 0x12, 0x123456, new Gid(0, 0xffff0a090002L));
    private static final byte[] DONE = {'d', 'o', 'n', 'e', 0};

    /// Describes what the peer does with the connection.
    private interface Peer {
        void run(Socket socket) throws IOException;
    }

    @Test
    void clientSendsReadsAndSaysDone() throws IOException {
        assertThat(asClient(socket -> {
            InputStream input = socket.getInputStream();
            assertThat(input.readNBytes(52)).isEqualTo(OURS.toMessage());
            socket.getOutputStream().write(THEIRS.toMessage());
            assertThat(input.readAllBytes()).isEqualTo(DONE);
        }))
                .isEqualTo(THEIRS);
    }

    @Test
    void serverReadsAndAnswersOnlyWhenConfirmed() throws Exception {
        int port = freePort();
        var server = CompletableFuture.supplyAsync(() -> {
            try (var exchange = PingPongExchange.of(null, port)) {
                PingPongAddress theirs = exchange.receive(OURS);
                exchange.confirm(OURS);
                return theirs;
            }
        });
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write(THEIRS.toMessage());
            assertThat(socket.getInputStream().readNBytes(52)).isEqualTo(OURS.toMessage());
            socket.getOutputStream().write(DONE);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(server.get(10, TimeUnit.SECONDS)).isEqualTo(THEIRS);
    }

    @Test
    void clientAndServerUnderstandEachOther() throws IOException {
        int port = freePort();
        var server = CompletableFuture.supplyAsync(() -> {
            try (var exchange = PingPongExchange.of(null, port)) {
                PingPongAddress theirs = exchange.receive(THEIRS);
                exchange.confirm(THEIRS);
                return theirs;
            }
        });
        connect(port, exchange -> {
            assertThat(exchange.receive(OURS)).isEqualTo(THEIRS);
            exchange.confirm(OURS);
        });
        assertThat(server.join()).isEqualTo(OURS);
    }

    @Test
    void eachSendsAsManyAddressesAsTheOther() throws IOException {
        int port = freePort();
        List<PingPongAddress> ours = Collections.nCopies(SharedReceivePingPong.ADDRESSES, OURS);
        List<PingPongAddress> theirs = Collections.nCopies(SharedReceivePingPong.ADDRESSES, THEIRS);
        var server = CompletableFuture.supplyAsync(() -> {
            try (var exchange = PingPongExchange.of(null, port)) {
                List<PingPongAddress> received = exchange.receive(theirs);
                exchange.confirm(theirs);
                return received;
            }
        });
        connect(port, exchange -> {
            assertThat(exchange.receive(ours)).isEqualTo(theirs);
            exchange.confirm(ours);
        });
        assertThat(server.join()).isEqualTo(ours);
    }

    /// Retries until the server listens.
    private static void connect(int port, Consumer<PingPongExchange> use) {
        for (int attempt = 0;; attempt++) {
            try (var exchange = PingPongExchange.of("127.0.0.1", port)) {
                use.accept(exchange);
                return;
            } catch (ToolException e) {
                if (attempt > 1000 || !String.valueOf(e.getMessage()).startsWith("cannot connect")) {
                    throw e;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    @Test
    void absentServerIsReportedAtOnce() throws IOException {
        int port = freePort();
        try (var exchange = PingPongExchange.of("127.0.0.1", port)) {
            assertThatThrownBy(() -> exchange.receive(OURS))
                    .isInstanceOf(ToolException.class)
                    .hasMessage("cannot connect to 127.0.0.1:" + port
                            + ": Connection refused; start the server there first, and check address, TCP port and firewall");
        }
    }

    @Test
    void unknownHostIsReported() {
        try (var exchange = PingPongExchange.of("no-such-host.invalid", 18515)) {
            assertThatThrownBy(() -> exchange.receive(OURS))
                    .isInstanceOf(ToolException.class)
                    .hasMessageStartingWith("unknown host: no-such-host.invalid");
        }
    }

    @Test
    void serverThatVanishesIsReported() {
        assertThatThrownBy(() -> asClient(socket -> socket.getInputStream().readNBytes(52)))
                .isInstanceOf(ToolException.class)
                .hasMessageMatching("the server 127.0.0.1:\\d+ closed the connection during .*");
    }

    @Test
    void serverThatSpeaksAnotherProtocolIsReported() {
        assertThatThrownBy(() -> asClient(socket -> socket.getOutputStream()
                .write("HTTP/1.1 400 Bad Request and more of what a web server says"
                        .getBytes(StandardCharsets.US_ASCII))))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("the peer sent 'HTTP/1.1 400 Bad Request");
    }

    @Test
    void clientThatVanishesIsReported() throws IOException {
        int port = freePort();
        var server = CompletableFuture.runAsync(() -> {
            try (var exchange = PingPongExchange.of(null, port)) {
                exchange.receive(OURS);
            }
        });
        connect(port).close();
        assertThatThrownBy(server::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith("the client 127.0.0.1 closed the connection during");
    }

    @Test
    void clientThatLeavesBeforeDoneIsReported() throws IOException {
        int port = freePort();
        var server = CompletableFuture.runAsync(() -> {
            try (var exchange = PingPongExchange.of(null, port)) {
                exchange.receive(OURS);
                exchange.confirm(OURS);
            }
        });
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write(THEIRS.toMessage());
            socket.getInputStream().readNBytes(52);
        }
        assertThatThrownBy(server::join).cause().isInstanceOf(ToolException.class);
    }

    @Test
    void portInUseIsReported() throws IOException {
        try (var other = new ServerSocket(0)) {
            try (var exchange = PingPongExchange.of(null, other.getLocalPort())) {
                assertThatThrownBy(() -> exchange.receive(OURS))
                        .isInstanceOf(ToolException.class)
                        .hasMessageStartingWith("cannot listen on TCP port " + other.getLocalPort())
                        .hasMessageEndingWith("; choose another one with -p");
            }
        }
    }

    private static PingPongAddress asClient(Peer peer) throws IOException {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var served = CompletableFuture.runAsync(() -> {
                try (Socket socket = listener.accept()) {
                    peer.run(socket);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            PingPongAddress theirs;
            try (var exchange = PingPongExchange.of("127.0.0.1", listener.getLocalPort())) {
                theirs = exchange.receive(OURS);
                exchange.confirm(OURS);
            }
            served.join();
            return theirs;
        }
    }

    private static Socket connect(int port) throws IOException {
        for (int attempt = 0;; attempt++) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException e) {
                if (attempt > 1000) {
                    throw e;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
