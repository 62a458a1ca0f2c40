// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.verbs4j.MemoryRegion;
import io.verbs4j.SendBatch;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.PrivateData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attacks sockets over RDMA as a peer, and as a third machine that sniffs the packets.
@Timeout(60)
class SocketSecurityTest {
    private static final char[] PASSWORD = "password".toCharArray();
    private static final String SECRET = "the quick brown fox jumps over the lazy dog";
    private static final int HOST_BYTES = 40;

    @TempDir static Path folder;

    private static SSLContext context;

    /// A peer of rsockets that may violate the protocol.
    private static final class Liar implements AutoCloseable {
        private final RdmaConnection connection;
        private final ByteBuffer greeting;

        Liar(InetSocketAddress server) throws InterruptedException {
            connection = RdmaConnection.connect(
                    server,
                    ConnectionOptions.defaults()
                            .withQueues(8, 8)
                            .withPreparation(Liar::postReceives)
                            .withPrivateDataOf(Liar::greeting));
            greeting = ByteBuffer.wrap(connection.privateData().bytes());
        }

        private static void postReceives(RdmaConnection connection) {
            try (var batch = connection.queuePair().beginReceive()) {
                for (int i = 0; i < 8; i++) {
                    batch.receive();
                }
                batch.submit();
            }
        }

        private static PrivateData greeting(RdmaConnection connection) {
            MemoryRegion memory = memory(connection);
            ByteBuffer data = ByteBuffer.allocate(HOST_BYTES);
            data.put((byte) 1).put((byte) 2).putShort((short) 8).putInt(0);
            data.putLong(memory.address()).putInt(memory.remoteKey()).putInt(2);
            data.putLong(memory.address() + 64).putInt(memory.remoteKey()).putInt(1024);
            return PrivateData.of(data.array());
        }

        private static MemoryRegion memory(RdmaConnection connection) {
            return connection.protectionDomain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        }

        /// Returns the end of all memory that the server has offered. The server's table of two entries follows the
        /// ring.
        long end() {
            return greeting.getLong(8) + 2 * 16;
        }

        int key() {
            return greeting.getInt(16);
        }

        /// Writes 16 bytes into the server's memory.
        Optional<CompletionStatus> write(long address) throws InterruptedException {
            return perform(SendBatch::write, address, Duration.ofSeconds(20));
        }

        /// Reads 16 bytes of the server's memory.
        Optional<CompletionStatus> read(long address) throws InterruptedException {
            return perform(SendBatch::read, address, Duration.ofMillis(500));
        }

        /// @return empty after the timeout
        private Optional<CompletionStatus> perform(Consumer<SendBatch> operation, long address, Duration timeout)
                throws InterruptedException {
            MemoryRegion memory = memory(connection);
            try (var batch = connection.queuePair().beginSend()) {
                operation.accept(batch.signaled().workRequestId(77));
                batch.local(memory, 0, 16).remote(address, key()).post();
                batch.submit();
            }
            var statuses = new ArrayList<CompletionStatus>();
            long deadline = System.nanoTime() + timeout.toNanos();
            while (statuses.isEmpty() && System.nanoTime() < deadline) {
                connection.completionQueue().await(8, completion -> {
                    if (completion.workRequestId() == 77) {
                        statuses.add(CompletionStatus.of(completion.statusCode()));
                    }
                }, timeout);
            }
            return statuses.stream().findFirst();
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    @BeforeAll
    static void makeCertificate() throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
                "server",
                "-keyalg", "EC", "-dname", "CN=verbs4j", "-ext", "san=ip:10.9.0.2", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.txt").toFile())
                .start();
        assertThat(keytool.waitFor(50, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).as(Files.readString(folder.resolve("keytool.txt"))).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, PASSWORD);
        var trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", keys.getCertificate("server"));
        var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(trust);
        context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
    }

    private static SSLSocket tls(Socket socket, boolean client) throws IOException {
        var tls = (SSLSocket) context.getSocketFactory().createSocket(socket, "10.9.0.2", socket.getPort(), true);
        tls.setUseClientMode(client);
        return tls;
    }

    /// Echoes one message.
    private static void serve(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        out.write(in.readNBytes(SECRET.length()));
        out.flush();
        assertThat(in.read()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theNetworkSeesWhatIsSentUnlessTlsHidesIt(boolean encrypted) throws Exception {
        var host = (SimulatedHost) Host.current();
        var packets = new ByteArrayOutputStream();
        host.connectsAcrossTheWire(true);
        host.network().capture(packets);
        try (var server = new RdmaServerSocketFactory().createServerSocket()) {
            server.bind(Places.RDMA.address());
            var served = new CompletableFuture<Void>();
            Thread.ofPlatform().daemon().start(() -> {
                try (Socket plain = server.accept(); Socket socket = encrypted ? tls(plain, false) : plain) {
                    serve(socket);
                    served.complete(null);
                } catch (IOException | AssertionError e) {
                    served.completeExceptionally(e);
                }
            });
            try (Socket plain = new RdmaSocketFactory().createSocket()) {
                plain.connect(server.getLocalSocketAddress(), 20_000);
                try (Socket socket = encrypted ? tls(plain, true) : plain) {
                    byte[] secret = SECRET.getBytes(StandardCharsets.US_ASCII);
                    socket.getOutputStream().write(secret);
                    assertThat(socket.getInputStream().readNBytes(secret.length)).isEqualTo(secret);
                }
            }
            served.get(20, TimeUnit.SECONDS);
        } finally {
            host.network().endCapture();
            host.connectsAcrossTheWire(false);
        }
        String seen = packets.toString(StandardCharsets.ISO_8859_1);
        assertThat(seen).hasSizeGreaterThan(1000);
        assertThat(seen.contains(SECRET)).isEqualTo(!encrypted);
    }

    @Test
    void theJdksHttpsServerAndClientUseRdma() throws Exception {
        InetSocketAddress address = Places.RDMA.address();
        long before = SocketReport.now().rdmaAccepts();
        HttpsServer server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        HttpEcho.start(server);
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            byte[] body = new byte[200_000];
            var request = HttpRequest.newBuilder(URI.create("https://10.9.0.2:" + address.getPort() + "/"))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofByteArray()).body()).isEqualTo(body);
        } finally {
            server.stop(0);
        }
        assertThat(SocketReport.now().rdmaAccepts()).isGreaterThan(before);
    }

    @Test
    void aPeerCannotReadMemory() throws Exception {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(Places.RDMA.address());
                Liar liar = new Liar((InetSocketAddress) server.getLocalAddress());
                SocketChannel attacked = server.accept()) {
            assertThat(liar.read(liar.end() - 16)).as("the connection permits no read").isEmpty();
            assertThat(attacked.isConnected()).isTrue();
        }
    }

    @Test
    void aPeerCannotWriteBehindTheMemoryThatItsConnectionOffers() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(Places.RDMA.address())) {
            var address = (InetSocketAddress) server.getLocalAddress();
            try (
                    Liar liar = new Liar(address);
                    SocketChannel attacked = server.accept();
                    SocketChannel here = SocketChannel.open(address);
                    SocketChannel there = server.accept()) {
                assertThat(liar.write(liar.end() - 16)).contains(CompletionStatus.SUCCESS);
                assertThat(liar.write(liar.end() - 15)).contains(CompletionStatus.REMOTE_ACCESS_ERROR);
                assertThatThrownBy(() -> attacked.read(ByteBuffer.allocate(1)))
                        .isInstanceOf(SocketException.class);
                here.write(ByteBuffer.wrap(new byte[]{1}));
                assertThat(there.read(ByteBuffer.allocate(2))).as("another connection").isOne();
            }
        }
    }

    /// The ring of this peer is full, and its credits are used up.
    @Test
    void aPeerThatReadsNothingHoldsUpNoOther() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(Places.RDMA.address())) {
            try (
                    SocketChannel silent = SocketChannel.open(server.getLocalAddress());
                    SocketChannel stalled = server.accept();
                    SocketChannel here = SocketChannel.open(server.getLocalAddress());
                    SocketChannel there = server.accept()) {
                stalled.configureBlocking(false);
                for (int writes = 0; writes < 3; writes++) {
                    while (stalled.write(ByteBuffer.allocate(10_000)) > 0) {
                        continue;
                    }
                    Thread.sleep(50);
                }
                for (int i = 0; i < 100; i++) {
                    there.write(ByteBuffer.wrap(new byte[]{1, 2, 3}));
                    assertThat(here.read(ByteBuffer.allocate(3))).isPositive();
                }
                assertThat(silent.isConnected()).isTrue();
            }
        }
    }
}
