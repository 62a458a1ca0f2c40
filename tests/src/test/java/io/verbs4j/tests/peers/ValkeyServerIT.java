// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.valkey.DefaultJedisClientConfig;
import io.valkey.Jedis;
import io.valkey.JedisPool;
import io.valkey.JedisPubSub;
import io.valkey.Response;
import io.valkey.exceptions.JedisConnectionException;
import io.verbs4j.MemoryRegion;
import io.verbs4j.SendBatch;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.ImpairedLink.Side;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.VerbsException;
import io.verbs4j.valkey.ValkeyConnection;
import io.verbs4j.valkey.ValkeyOptions;
import io.verbs4j.valkey.ValkeySocketFactory;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A real `valkey-server` over RDMA, with valkey-java and with the stream itself.
@DeviceTest
@RealKernel("a program in C")
@Needs.OneKernel
@Needs.LongRun("a server that starts for each test, and values of 64 MiB")
class ValkeyServerIT {
    private static final ValkeySocketFactory FACTORY = ValkeySocketFactory.to(ValkeyServer.ADDRESS);
    private static final int SECONDS = 120;
    private static final int MESSAGE_BYTES = 32;
    private static final long VIOLATION = 1000;

    @TempDir Path folder;
    private ValkeyServer server;

    @BeforeEach
    void start() throws InterruptedException {
        server = ValkeyServer.start(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Jedis client() {
        return new Jedis(FACTORY::createSocket);
    }

    private static byte[] random(int size) {
        byte[] value = new byte[size];
        new Random(size).nextBytes(value);
        return value;
    }

    @Test
    void storesValuesOfAnySize() {
        try (Jedis jedis = client()) {
            assertThat(jedis.info("server")).contains("rdma");
            for (int size : new int[]{0, 1, 1000, 1 << 16, 1 << 20, 5_000_000, 64 << 20}) {
                byte[] value = random(size);
                byte[] key = Integer.toString(size).getBytes(StandardCharsets.US_ASCII);
                long start = System.nanoTime();
                assertThat(jedis.set(key, value)).isEqualTo("OK");
                long set = System.nanoTime();
                assertThat(jedis.get(key)).isEqualTo(value);
                System.out.printf("%d bytes: SET %d ms, GET %d ms%n", size, (set - start) / 1_000_000,
                        (System.nanoTime() - set) / 1_000_000);
            }
        }
    }

    @Test
    void answersAPipeline() {
        int count = 100_000;
        try (Jedis jedis = client()) {
            var pipeline = jedis.pipelined();
            var answers = new ArrayList<Response<Long>>();
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                answers.add(pipeline.incr("counter"));
            }
            pipeline.sync();
            System.out.printf("%d INCR in a pipeline: %d ms%n", count, (System.nanoTime() - start) / 1_000_000);
            assertThat(answers).extracting(Response::get).startsWith(1L, 2L).endsWith((long) count);
        }
    }

    @Test
    void servesManyClientsAtOnce() throws Exception {
        int count = 200;
        int rounds = 5;
        var factory = ValkeySocketFactory.to(
                ValkeyServer.ADDRESS, ValkeyOptions.defaults().withBuffers(1 << 16, 1 << 16));
        var clients = new ArrayList<Jedis>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                clients.add(new Jedis(factory::createSocket));
                assertThat(clients.getLast().ping()).isEqualTo("PONG");
            }
            assertThat(clients.getFirst().info("clients")).contains("connected_clients:" + count + "\r\n");
            var calls = new ArrayList<Future<?>>();
            for (Jedis jedis : clients) {
                calls.add(threads.submit(() -> {
                    String key = Integer.toString(System.identityHashCode(jedis));
                    for (int round = 0; round < rounds; round++) {
                        jedis.set(key, key + round);
                        jedis.incr("counter");
                        assertThat(jedis.get(key)).isEqualTo(key + round);
                    }
                }));
            }
            for (Future<?> call : calls) {
                call.get(SECONDS, TimeUnit.SECONDS);
            }
            assertThat(clients.getFirst().get("counter")).isEqualTo(Integer.toString(count * rounds));
        } finally {
            clients.forEach(Jedis::close);
        }
    }

    @Test
    void losesNothingOnALossyWire() {
        byte[] value = random(1_000_000);
        byte[] key = {1};
        try (var _ = new WireRoute(); Jedis jedis = client(); var wire = ImpairedLink.bothWays("loss 1%")) {
            assertThat(jedis.set(key, value)).isEqualTo("OK");
            assertThat(jedis.get(key)).isEqualTo(value);
            for (long i = 1; i <= 200; i++) {
                assertThat(jedis.incr("counter")).isEqualTo(i);
            }
            assertThat(wire.lost(Side.LEFT)).isPositive();
            assertThat(wire.lost(Side.RIGHT)).isPositive();
        }
    }

    /// Invalid messages of a client.
    enum Violation {
        UNKNOWN_MESSAGE,
        SHORT_MESSAGE,
        WRITE_TO_FOREIGN_MEMORY
    }

    /// The server then answers this client no more, without a close. Other clients notice nothing.
    @ParameterizedTest
    @EnumSource
    void theServerSurvivesAClientThatViolatesTheProtocol(Violation violation) throws Exception {
        var options = ConnectionOptions.defaults().withPreparation(ValkeyServerIT::postReceives);
        try (Jedis other = client(); var connection = RdmaConnection.connect(ValkeyServer.ADDRESS, options)) {
            MemoryRegion message = connection.protectionDomain().allocate(MESSAGE_BYTES, Access.LOCAL_WRITE);
            message.segment().set(ValueLayout.JAVA_BYTE, 1, (byte) (violation == Violation.SHORT_MESSAGE ? 2 : 17));
            try (SendBatch batch = connection.queuePair().beginSend()) {
                batch.signaled().workRequestId(VIOLATION);
                switch (violation) {
                    case UNKNOWN_MESSAGE -> batch.send().local(message, 0, MESSAGE_BYTES);
                    case SHORT_MESSAGE -> batch.send().local(message, 0, 8);
                    case WRITE_TO_FOREIGN_MEMORY -> batch.write().local(message, 0, MESSAGE_BYTES).remote(4096, 17);
                }
                assertThat(batch.post()).isTrue();
                batch.submit();
            }
            var status = new AtomicReference<CompletionStatus>();
            Eventually.until(() -> {
                connection.completionQueue().poll(8, completion -> {
                    if (completion.workRequestId() == VIOLATION) {
                        status.set(completion.status());
                    }
                });
                return status.get() != null;
            }, connection::toString);
            assertThat(status).hasValue(violation == Violation.WRITE_TO_FOREIGN_MEMORY
                    ? CompletionStatus.REMOTE_ACCESS_ERROR
                    : CompletionStatus.SUCCESS);
            assertThat(other.ping()).isEqualTo("PONG");
            try (Jedis another = client()) {
                assertThat(another.ping()).isEqualTo("PONG");
            }
        }
    }

    private static void postReceives(RdmaConnection connection) {
        MemoryRegion messages = connection.protectionDomain().allocate(8 * MESSAGE_BYTES, Access.LOCAL_WRITE);
        try (var batch = connection.queuePair().beginReceive()) {
            for (int slot = 0; slot < 8; slot++) {
                batch.receive(messages, (long) slot * MESSAGE_BYTES, MESSAGE_BYTES);
            }
            batch.submit();
        }
    }

    @Test
    void runsTransactionsScriptsAndBlockingCommands() {
        try (Jedis jedis = client(); Jedis other = client()) {
            var transaction = jedis.multi();
            transaction.set("x", "1");
            transaction.incr("x");
            assertThat(transaction.exec()).containsExactly("OK", 2L);
            assertThat(jedis.eval("return redis.call('GET', KEYS[1])", List.of("x"), List.of())).isEqualTo("2");
            CompletableFuture<List<String>> popped = CompletableFuture.supplyAsync(() -> other.brpop(SECONDS, "list"));
            jedis.lpush("list", "one");
            assertThat(popped).succeedsWithin(Duration.ofSeconds(SECONDS)).isEqualTo(List.of("list", "one"));
        }
    }

    @Test
    void publishesToASubscriber() throws Exception {
        var messages = new ArrayBlockingQueue<String>(10);
        var subscribed = new CompletableFuture<Void>();
        var subscriber = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int subscribedChannels) {
                subscribed.complete(null);
            }

            @Override
            public void onMessage(String channel, String message) {
                messages.add(message);
            }
        };
        try (Jedis listening = client(); Jedis jedis = client()) {
            var thread = Thread.ofPlatform().daemon().start(() -> listening.subscribe(subscriber, "news"));
            subscribed.get(SECONDS, TimeUnit.SECONDS);
            assertThat(jedis.publish("news", "first")).isOne();
            assertThat(jedis.publish("news", "second")).isOne();
            assertThat(messages.poll(SECONDS, TimeUnit.SECONDS)).isEqualTo("first");
            assertThat(messages.poll(SECONDS, TimeUnit.SECONDS)).isEqualTo("second");
            subscriber.unsubscribe();
            thread.join();
        }
    }

    @Test
    void aPoolReconnectsAfterTheServerWasKilled() throws Exception {
        var pooling = new GenericObjectPoolConfig<Jedis>();
        pooling.setMaxTotal(1);
        try (
                var pool =
                        new JedisPool(pooling, FACTORY::createSocket, DefaultJedisClientConfig.builder().build())) {
            try (Jedis jedis = pool.getResource()) {
                assertThat(jedis.ping()).isEqualTo("PONG");
                server.kill();
                assertThatThrownBy(() -> {
                    while (true) {
                        jedis.ping();
                    }
                }).isInstanceOf(JedisConnectionException.class);
            }
            server.close();
            server = ValkeyServer.start(folder);
            try (Jedis jedis = pool.getResource()) {
                assertThat(jedis.ping()).isEqualTo("PONG");
            }
        }
    }

    /// The server sends a keep-alive every three seconds, and hangs when it is stopped.
    @Test
    void tellsAnIdleServerFromOneThatHangs() throws Exception {
        var options = ValkeyOptions.defaults().withKeepAlive(Duration.ofSeconds(1), Duration.ofSeconds(10));
        try (var connection = ValkeyConnection.connect(ValkeyServer.ADDRESS, options)) {
            Thread.sleep(15_000);
            assertThat(connection.isConnected()).isTrue();
            connection.write(ByteBuffer.wrap("PING\r\n".getBytes(StandardCharsets.US_ASCII)));
            var answer = ByteBuffer.allocate(7);
            while (answer.hasRemaining()) {
                assertThat(connection.readAsync(answer).get(SECONDS, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(new String(answer.array(), StandardCharsets.US_ASCII)).isEqualTo("+PONG\r\n");
            server.signal("STOP");
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1))).isInstanceOf(VerbsException.class)
                    .hasMessageContaining("not even a keep-alive");
            server.signal("CONT");
        }
    }
}
