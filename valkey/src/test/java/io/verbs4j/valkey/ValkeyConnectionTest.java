// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.simulator.junit.SimulatedRdma;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests connections to a server in this process, over simulated devices.
@SimulatedRdma
@Timeout(60)
class ValkeyConnectionTest {
    static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 6379);
    private static final int BUFFER = 1 << 16;
    private static final ValkeyOptions OPTIONS =
            ValkeyOptions.defaults().withBuffers(BUFFER, BUFFER).withTimeout(Duration.ofSeconds(30));

    private static ValkeyConnection connect() throws InterruptedException {
        return ValkeyConnection.connect(ADDRESS, OPTIONS);
    }

    private static String exchange(ValkeyConnection connection, int bytes, Object... words)
            throws InterruptedException {
        connection.write(ByteBuffer.wrap(Resp.command(words)));
        return read(connection, bytes);
    }

    private static byte[] readBytes(ValkeyConnection connection, int bytes) throws InterruptedException {
        ByteBuffer target = ByteBuffer.allocate(bytes);
        while (target.hasRemaining()) {
            assertThat(connection.read(target)).isPositive();
        }
        return target.array();
    }

    private static String read(ValkeyConnection connection, int bytes) throws InterruptedException {
        return Resp.text(readBytes(connection, bytes));
    }

    @Test
    void exchangesCommands() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER); var connection = connect()) {
            assertThat(exchange(connection, 7, "PING")).isEqualTo("+PONG\r\n");
            assertThat(connection.serverFeatures()).isEqualTo(5);
            assertThat(connection.peerAddress()).isEqualTo(ADDRESS);
            assertThat(connection.localAddress().getHostString()).isEqualTo("10.9.0.1");
            assertThat(connection.isConnected()).isTrue();
        }
    }

    /// Tests values that fit into the buffers, fill them exactly, or need many of them.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, BUFFER - 1, BUFFER, BUFFER + 1, 5_000_000})
    void exchangesValues(int size) throws Exception {
        byte[] value = new byte[size];
        new Random(size).nextBytes(value);
        try (var server = new ToyServer(ADDRESS, BUFFER); var connection = connect()) {
            assertThat(exchange(connection, 5, "SET", "key", value)).isEqualTo("+OK\r\n");
            connection.write(ByteBuffer.wrap(Resp.command("GET", "key")));
            String head = "$" + size + "\r\n";
            assertThat(read(connection, head.length())).isEqualTo(head);
            assertThat(readBytes(connection, size)).isEqualTo(value);
            assertThat(read(connection, 2)).isEqualTo("\r\n");
            assertThat(server.clientAnnouncements.get()).isEqualTo(1 + (size + head.length() + 7) / BUFFER);
        }
    }

    @Test
    @SimulatedRdma(loss = 0.03, seed = 5)
    void exchangesValuesOverAWireThatLosesPackets() throws Exception {
        exchangesValues(300_000);
    }

    /// Each command is a message. The answers stay in the buffer until they are read.
    @Test
    void sendsAPipeline() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER); var connection = connect()) {
            var expected = new StringBuilder();
            for (int i = 1; i <= 2000; i++) {
                connection.write(ByteBuffer.wrap(Resp.command("INCR", "counter")));
                expected.append(':').append(i).append("\r\n");
            }
            assertThat(read(connection, expected.length())).isEqualTo(expected.toString());
        }
    }

    @Test
    void readsAndWritesAsynchronously() throws Exception {
        try (
                var _ = new ToyServer(ADDRESS, BUFFER);
                var connection = ValkeyConnection.connectAsync(ADDRESS, OPTIONS).get(30, TimeUnit.SECONDS)) {
            var writes = new ArrayList<CompletableFuture<?>>();
            ByteBuffer answers = ByteBuffer.allocate(7 * 100);
            CompletableFuture<Integer> first = connection.readAsync(answers);
            for (int i = 0; i < 100; i++) {
                writes.add(connection.writeAsync(ByteBuffer.wrap(Resp.command("PING"))));
            }
            CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
            first.get(30, TimeUnit.SECONDS);
            while (answers.hasRemaining()) {
                connection.readAsync(answers).get(30, TimeUnit.SECONDS);
            }
            assertThat(Resp.text(answers.array())).isEqualTo("+PONG\r\n".repeat(100));
            assertThat(connection.readAsync(answers)).isCompletedWithValue(0);
        }
    }

    @Test
    void withdrawsACancelledRead() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER); var connection = connect()) {
            CompletableFuture<Integer> read = connection.readAsync(ByteBuffer.allocate(10));
            assertThat(read.cancel(true)).isTrue();
            assertThat(exchange(connection, 7, "PING")).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void aReadThatTimesOutLosesNothing() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER); var connection = connect()) {
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1), Duration.ofMillis(50)))
                    .isInstanceOfSatisfying(VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT));
            assertThat(exchange(connection, 7, "PING")).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void aWriteTimesOutIfTheServerDoesNotRead() throws Exception {
        try (
                var _ = new ToyServer(ADDRESS, BUFFER, session -> Thread.sleep(60_000));
                var connection = ValkeyConnection.connect(ADDRESS, OPTIONS.withTimeout(Duration.ofMillis(200)))) {
            ByteBuffer data = ByteBuffer.allocate(10 * BUFFER);
            assertThatThrownBy(() -> connection.write(data)).hasMessageContaining("ETIMEDOUT")
                    .hasMessageContaining("does not read");
            assertThat(data.position()).isEqualTo(BUFFER);
            assertThatThrownBy(() -> connection.write(data)).hasMessageContaining("ECONNRESET")
                    .hasMessageContaining("ended after part of its bytes");
        }
    }

    @Test
    void anInterruptEndsARead() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER); var connection = connect()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1))).isInstanceOf(InterruptedException.class);
            assertThat(exchange(connection, 7, "PING")).isEqualTo("+PONG\r\n");
        }
    }

    /// The close usually fails the read before the interrupted thread can withdraw it.
    @Test
    void anInterruptAndACloseEndAReadAsDocumented() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER)) {
            for (int i = 0; i < 20; i++) {
                ValkeyConnection connection = connect();
                var outcome = new CompletableFuture<Object>();
                Thread reading = Thread.ofPlatform().start(() -> {
                    try {
                        outcome.complete(connection.read(ByteBuffer.allocate(1)));
                    } catch (Throwable e) {
                        outcome.complete(e);
                    }
                });
                while (reading.getState() != Thread.State.TIMED_WAITING) {
                    Thread.sleep(1);
                }
                reading.interrupt();
                connection.close();
                assertThat(outcome.get(30, TimeUnit.SECONDS))
                        .isInstanceOfAny(InterruptedException.class, IllegalStateException.class);
            }
        }
    }

    @Test
    void givesTheLastBytesAndThenTheEnd() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER, session -> {
            session.send(Resp.bytes("bye"));
            session.connection.disconnect();
        }); var connection = connect()) {
            assertThat(read(connection, 3)).isEqualTo("bye");
            assertThat(connection.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(connection.readAsync(ByteBuffer.allocate(1)).get()).isEqualTo(-1);
            assertThatThrownBy(() -> connection.write(ByteBuffer.allocate(1))).hasMessageContaining("ECONNRESET");
            assertThat(connection.isConnected()).isFalse();
        }
    }

    @Test
    void aReadThatWaitsSeesTheEnd() throws Exception {
        try (var server = new ToyServer(ADDRESS, BUFFER); var connection = connect()) {
            CompletableFuture<Integer> read = connection.readAsync(ByteBuffer.allocate(1));
            server.disconnectAll();
            assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
        }
    }

    @Test
    void closingEndsAReadThatWaits() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER)) {
            ValkeyConnection connection = connect();
            CompletableFuture<Integer> read = connection.readAsync(ByteBuffer.allocate(1));
            connection.close();
            assertThatThrownBy(read::get).isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1))).isInstanceOf(IllegalStateException.class);
            connection.close();
        }
    }

    @Test
    void sendsWhatWasWrittenBeforeItCloses() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER)) {
            try (var connection = connect()) {
                connection.write(ByteBuffer.wrap(Resp.command("SET", "last", "word")));
            }
            try (var connection = connect()) {
                String answer = exchange(connection, 5, "GET", "last");
                while (answer.equals("$-1\r\n")) { // the server serves both connections concurrently
                    answer = exchange(connection, 5, "GET", "last");
                }
                assertThat(answer + read(connection, 5)).isEqualTo("$4\r\nword\r\n");
            }
        }
    }

    @Test
    void keepsAliveAnIdleConnection() throws Exception {
        try (var server = new ToyServer(ADDRESS, BUFFER, session -> {
            for (int i = 0; i < 20; i++) {
                session.keepAlive();
                Thread.sleep(50);
            }
            session.serve();
        });
                var connection = ValkeyConnection.connect(
                        ADDRESS, OPTIONS.withKeepAlive(Duration.ofMillis(20), Duration.ofMillis(600)))) {
            Thread.sleep(900); // longer than the silence limit
            assertThat(connection.isConnected()).isTrue();
            assertThat(exchange(connection, 7, "PING")).isEqualTo("+PONG\r\n");
            assertThat(server.keepAlives.get()).isBetween(10, 100);
        }
    }

    @Test
    void failsIfTheServerIsSilent() throws Exception {
        try (
                var _ = new ToyServer(ADDRESS, BUFFER, session -> Thread.sleep(60_000));
                var connection = ValkeyConnection.connect(
                        ADDRESS, OPTIONS.withKeepAlive(Duration.ofSeconds(10), Duration.ofMillis(200)))) {
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1))).hasMessageContaining("ETIMEDOUT")
                    .hasMessageContaining("not even a keep-alive");
            assertThat(connection.isConnected()).isFalse();
        }
    }

    @Test
    void rejectsAPeerThatIsNoValkeyServer() throws Exception {
        try (var server = RdmaServer.listen(ADDRESS, ConnectionOptions.defaults())) {
            CompletableFuture<RdmaConnection> accepted = acceptOne(server);
            assertThatThrownBy(
                    () -> ValkeyConnection.connect(ADDRESS, OPTIONS.withConnectTimeout(Duration.ofSeconds(2))))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                    .hasMessageContaining("announced no buffer");
            accepted.get(30, TimeUnit.SECONDS).close();
        }
    }

    private static CompletableFuture<RdmaConnection> acceptOne(RdmaServer server) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return server.accept();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void reportsThatNobodyListens() {
        assertThatThrownBy(ValkeyConnectionTest::connect).isInstanceOf(ConnectionRejectedException.class);
    }

    /// Waits until this end has detected the failure and ended the connection, so that the server can no longer write
    /// to its memory.
    private static void awaitEnd(ValkeyConnection connection) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (connection.isConnected() && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        assertThat(connection.isConnected()).isFalse();
    }

    private static void assertViolation(int bytesBefore, ToyServer.Script script, String text)
            throws InterruptedException {
        try (var _ = new ToyServer(ADDRESS, BUFFER, script); var connection = connect()) {
            awaitEnd(connection);
            readBytes(connection, bytesBefore);
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1)))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO))
                    .hasMessageContaining(text);
        }
    }

    @Test
    void refusesAnUnknownMessage() throws Exception {
        assertViolation(0, session -> session.control(17, ByteBuffer.allocate(32), 32), "unknown control message 17");
    }

    @Test
    void refusesAShortMessage() throws Exception {
        assertViolation(0, session -> session.control(2, ByteBuffer.allocate(32), 8), "has 8 bytes");
    }

    @Test
    void refusesAnEmptyBuffer() throws Exception {
        assertViolation(0, session -> session.announce(4096, 0, 1), "is empty");
    }

    @Test
    void refusesMoreBytesThanWereWritten() throws Exception {
        assertViolation(0,
                session -> session.write(new byte[10], 11, session.client().address(), session.client().remoteKey()),
                "announced 11 bytes but wrote 10");
    }

    @Test
    void refusesMoreBytesThanFit() throws Exception {
        assertViolation(BUFFER - 5, session -> {
            session.send(new byte[BUFFER - 5]);
            session.write(new byte[6], 6, session.client().address(), session.client().remoteKey());
        }, "has 5 left");
    }

    /// This end's device refuses the write, and the connection ends.
    @ParameterizedTest
    @ValueSource(longs = {-1, BUFFER})
    void theServerCannotWriteBesideTheBuffer(long offset) throws Exception {
        try (
                var _ = new ToyServer(ADDRESS, BUFFER,
                        session -> session.write(new byte[10], 10, session.client().address() + offset,
                                session.client().remoteKey()));
                var connection = connect()) {
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1))).hasMessageContaining("ECONNRESET")
                    .hasMessageContaining("REMOTE_ACCESS_ERROR");
        }
    }

    /// The server announces memory that it has not registered.
    @Test
    void aWrongKeyOfTheServerFailsTheConnection() throws Exception {
        try (var _ = new ToyServer(ADDRESS, BUFFER, session -> {
            session.announce(4096, 4096, 0x1234);
            session.send(new byte[1]);
            Thread.sleep(60_000);
        }); var connection = connect()) {
            assertThat(connection.read(ByteBuffer.allocate(1))).isOne(); // the announcement precedes it
            connection.write(ByteBuffer.allocate(10));
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1))).hasMessageContaining("ECONNRESET")
                    .hasMessageContaining("REMOTE_ACCESS_ERROR");
        }
    }
}
