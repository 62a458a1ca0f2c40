// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.valkey.DefaultJedisClientConfig;
import io.valkey.Jedis;
import io.valkey.JedisPool;
import io.valkey.exceptions.JedisConnectionException;
import io.verbs4j.simulator.junit.SimulatedRdma;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests sockets, and valkey-java over them.
@SimulatedRdma
@Timeout(60)
class ValkeySocketTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 6379);
    private static final int BUFFER = 1 << 16;
    private static final ValkeyOptions OPTIONS = ValkeyOptions.defaults().withBuffers(BUFFER, BUFFER);
    private static final ValkeySocketFactory FACTORY = ValkeySocketFactory.to(ADDRESS, OPTIONS);

    private static void ping(Socket socket) throws IOException {
        socket.getOutputStream().write(Resp.command("PING"));
        assertThat(Resp.text(socket.getInputStream().readNBytes(7))).isEqualTo("+PONG\r\n");
    }

    @Test
    void connectsWhenItIsFirstUsed() throws IOException {
        try (Socket socket = FACTORY.createSocket()) { // no server listens yet
            assertThat(socket.isConnected()).isFalse();
            try (var _ = new ToyServer(ADDRESS, BUFFER)) {
                ping(socket);
                assertThat(socket.isConnected()).isTrue();
                assertThat(socket.isBound()).isTrue();
                assertThat(socket.getRemoteSocketAddress()).isEqualTo(ADDRESS);
                assertThat(socket.getLocalAddress()).isEqualTo(InetAddress.getByName("10.9.0.1"));
                assertThat(socket.getLocalPort()).isPositive();
            }
        }
    }

    /// Clients read and write in different threads.
    @Test
    void twoThreadsConnectASocketOnce() throws Exception {
        try (var server = new ToyServer(ADDRESS, BUFFER); Socket socket = FACTORY.createSocket()) {
            server.announcing = new CountDownLatch(1);
            List<FutureTask<?>> streams =
                    List.of(new FutureTask<>(socket::getInputStream), new FutureTask<>(socket::getOutputStream));
            for (var stream : streams) {
                Thread thread = Thread.ofPlatform().start(stream);
                while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                    Thread.sleep(1);
                }
            }
            server.announcing.countDown();
            for (var stream : streams) {
                assertThat(stream.get()).isNotNull();
            }
            assertThat(server.sessions()).isOne();
            ping(socket);
            assertThatThrownBy(() -> socket.connect(ADDRESS)).hasMessage("Already connected");
            ping(socket);
        }
    }

    @Test
    void connectsAsTheProgramWants() throws IOException {
        try (var _ = new ToyServer(ADDRESS, BUFFER); Socket socket = ValkeySocketFactory.of(OPTIONS).createSocket()) {
            assertThatThrownBy(socket::getInputStream).isInstanceOf(SocketException.class);
            socket.connect(ADDRESS, 10_000);
            ping(socket);
        }
    }

    @Test
    void aClosedSocketSaysSo() throws IOException {
        try (var _ = new ToyServer(ADDRESS, BUFFER)) {
            Socket socket = FACTORY.createSocket();
            ping(socket);
            var input = socket.getInputStream();
            var output = socket.getOutputStream();
            socket.close();
            assertThatThrownBy(input::read).isInstanceOf(SocketException.class).hasMessage("Socket closed");
            assertThatThrownBy(() -> output.write(1)).isInstanceOf(SocketException.class).hasMessage("Socket closed");
        }
    }

    @Test
    void eachNegativeTimeIsRefused() {
        Duration negative = Duration.ofNanos(-1);
        for (Supplier<ValkeyOptions> options : List.<Supplier<ValkeyOptions>>of(
                () -> OPTIONS.withConnectTimeout(negative), () -> OPTIONS.withTimeout(negative),
                () -> OPTIONS.withKeepAlive(Duration.ofMillis(10), negative),
                () -> OPTIONS.withKeepAlive(Duration.ofMillis(10).minusNanos(1), Duration.ZERO),
                () -> OPTIONS.withBusyPolling(negative))) {
            assertThatThrownBy(options::get).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(OPTIONS.withConnectTimeout(Duration.ZERO)
                .withTimeout(Duration.ZERO)
                .withBusyPolling(Duration.ZERO)
                .withKeepAlive(Duration.ofMillis(10), Duration.ZERO)
                .silence()).isZero();
    }

    @Test
    void connectsByHostAndPort() throws IOException {
        var factory = ValkeySocketFactory.of(OPTIONS);
        try (
                var _ = new ToyServer(ADDRESS, BUFFER);
                Socket byName = factory.createSocket("10.9.0.2", 6379);
                Socket byAddress = factory.createSocket(ADDRESS.getAddress(), 6379)) {
            ping(byName);
            ping(byAddress);
        }
        assertThatThrownBy(() -> factory.createSocket("10.9.0.2", 6379, ADDRESS.getAddress(), 1))
                .isInstanceOf(SocketException.class);
    }

    @Test
    void looksUpANameForEachSocket() throws IOException {
        try (
                Socket socket = ValkeySocketFactory.to(InetSocketAddress.createUnresolved("no.such.host.invalid", 1))
                        .createSocket()) {
            assertThatThrownBy(socket::getOutputStream).isInstanceOf(UnknownHostException.class);
        }
    }

    @Test
    void reportsErrorsAsSocketsDo() throws IOException {
        try (Socket socket = FACTORY.createSocket()) {
            assertThatThrownBy(socket::getOutputStream).isInstanceOf(ConnectException.class)
                    .hasMessageContaining("has no listener");
        }
        try (var server = new ToyServer(ADDRESS, BUFFER)) {
            Socket socket = FACTORY.createSocket();
            ping(socket);
            socket.setSoTimeout(50);
            var in = socket.getInputStream();
            assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class).hasMessage("Read timed out");
            ping(socket);
            server.disconnectAll();
            socket.setSoTimeout(0);
            assertThat(in.read()).isEqualTo(-1);
            var out = socket.getOutputStream();
            out.write(1);
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class)
                    .hasMessageContaining("ECONNRESET");
            socket.close();
            assertThatThrownBy(in::read).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void closingEndsARead() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER)) {
            Socket socket = FACTORY.createSocket();
            var in = socket.getInputStream();
            var closing = Thread.ofVirtual().start(() -> {
                try {
                    Thread.sleep(100);
                    socket.close();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(in::read).isInstanceOf(SocketException.class).hasMessage("Socket closed");
            closing.join();
        }
    }

    @Test
    void remembersOptionsOfTcp() throws IOException {
        try (Socket socket = FACTORY.createSocket()) {
            socket.setTcpNoDelay(false);
            socket.setKeepAlive(false);
            socket.setSoLinger(true, 3);
            socket.setReuseAddress(true);
            socket.setTrafficClass(8);
            assertThat(socket.getTcpNoDelay()).isFalse();
            assertThat(socket.getKeepAlive()).isFalse();
            assertThat(socket.getSoLinger()).isEqualTo(3);
            assertThat(socket.getReuseAddress()).isTrue();
            assertThat(socket.getTrafficClass()).isEqualTo(8);
            assertThat(socket.getSendBufferSize()).isEqualTo(BUFFER);
            assertThat(socket.getReceiveBufferSize()).isEqualTo(BUFFER);
        }
    }

    @Test
    void shutsDownItsOwnEnd() throws IOException {
        try (var _ = new ToyServer(ADDRESS, BUFFER); Socket socket = FACTORY.createSocket()) {
            ping(socket);
            var in = socket.getInputStream();
            var out = socket.getOutputStream();
            socket.shutdownInput();
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.available()).isZero();
            socket.shutdownOutput();
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void valkeyJavaClosesAConnectionThatTheServerHasClosed() throws IOException {
        try (var server = new ToyServer(ADDRESS, 1 << 20); Socket socket = FACTORY.createSocket()) {
            var jedis = new Jedis(() -> socket);
            jedis.ping();
            server.disconnectAll();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            assertThatThrownBy(jedis::ping).hasMessage("Unexpected end of stream.");
            jedis.close();
        }
    }

    @Test
    void carriesValkeyJava() {
        byte[] value = new byte[1_000_000];
        new Random(1).nextBytes(value);
        try (var _ = new ToyServer(ADDRESS, 1 << 20); var jedis = new Jedis(FACTORY::createSocket)) {
            assertThat(jedis.ping()).isEqualTo("PONG");
            assertThat(jedis.set("greeting", "Hello")).isEqualTo("OK");
            assertThat(jedis.get("greeting")).isEqualTo("Hello");
            assertThat(jedis.set(new byte[]{1}, value)).isEqualTo("OK");
            assertThat(jedis.get(new byte[]{1})).isEqualTo(value);
            var pipeline = jedis.pipelined();
            for (int i = 0; i < 499; i++) {
                pipeline.incr("counter");
            }
            var last = pipeline.incr("counter");
            pipeline.sync();
            assertThat(last.get()).isEqualTo(500);
        }
    }

    @Test
    void aPoolReplacesABrokenConnection() {
        var pooling = new GenericObjectPoolConfig<Jedis>();
        pooling.setMaxTotal(1);
        pooling.setMaxWait(Duration.ofSeconds(20));
        try (
                var server = new ToyServer(ADDRESS, BUFFER);
                var pool = new JedisPool(pooling, FACTORY::createSocket, DefaultJedisClientConfig.builder().build())) {
            try (var jedis = pool.getResource()) {
                assertThat(jedis.ping()).isEqualTo("PONG");
                server.disconnectAll();
                assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class);
            }
            try (var jedis = pool.getResource()) {
                assertThat(jedis.ping()).isEqualTo("PONG");
            }
        }
    }

    @Test
    void valkeyJavaReportsThatNobodyListens() {
        try (var jedis = new Jedis(FACTORY::createSocket)) {
            assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class)
                    .hasCauseInstanceOf(ConnectException.class);
        }
    }
}
