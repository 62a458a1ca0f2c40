// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.RemoteMemory;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.simulator.junit.SimulatedRdma;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests an engine and its buffers without a [ValkeyConnection]. The test ends the connection itself.
@SimulatedRdma
@Timeout(60)
class EngineTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 6379);
    private static final int BUFFER = 1 << 14;
    private static final ValkeyOptions OPTIONS =
            ValkeyOptions.defaults().withBuffers(BUFFER, 2 * BUFFER).withMessages(4096 / 32 - ControlMessage.KINDS);

    private ToyServer server;
    private RdmaConnection connection;
    private Buffers buffers;
    private Engine engine;

    @BeforeEach
    void connect() throws Exception {
        server = new ToyServer(ADDRESS, BUFFER);
        var prepared = new AtomicReference<@Nullable Buffers>();
        connection = RdmaConnection.connect(
                ADDRESS,
                ConnectionOptions.defaults()
                        .withQueues(Protocol.MAX_WRITES + Protocol.MAX_CONTROLS, OPTIONS.messages())
                        .withPreparation(made -> prepared.set(Buffers.prepare(made, OPTIONS))));
        buffers = prepared.get();
        engine = new Engine(connection, buffers, OPTIONS);
    }

    @AfterEach
    void close() {
        engine.close();
        connection.close();
        server.close();
    }

    /// The completion queue of a running engine is closed.
    @Test
    void aConnectionThatIsGoneFailsTheProtocol() throws Exception {
        connection.close();
        engine.locked(engine.protocol()::end); // so that it sends nothing
        CompletableFuture<Void> started = engine.start();
        while (!engine.locked(engine.protocol()::hasFailed)) {
            Thread.sleep(1);
        }
        assertThat(engine.locked(engine.protocol()::refusal)).isInstanceOfSatisfying(VerbsException.class, e -> {
            assertThat(e.errno()).isEqualTo(Errno.ECONNRESET);
            assertThat(e).hasMessageContaining("the device is gone; connect again")
                    .hasCauseInstanceOf(IllegalStateException.class);
        });
        assertThat(started).failsWithin(Duration.ofSeconds(30));
        assertThat(engine.poll()).as("completions of a closed connection").isZero();
    }

    @Test
    void anInterruptedThreadClosesAndStaysInterrupted() throws Exception {
        engine.start().get(30, TimeUnit.SECONDS);
        assertThat(engine.isClosed()).isFalse();
        Thread.currentThread().interrupt();
        engine.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(engine.isClosed()).isTrue();
    }

    /// The close of the queue pair is refused while this thread has a batch open.
    @Test
    void aRefusedCloseCanBeRepeated() {
        var valkey = new ValkeyConnection(connection, buffers, OPTIONS);
        try (var _ = connection.queuePair().beginSend()) {
            assertThatThrownBy(valkey::close).isInstanceOf(IllegalStateException.class);
            assertThat(connection.queuePair().isClosed()).isFalse();
        }
        valkey.close();
        assertThat(connection.queuePair().isClosed()).isTrue();
    }

    @Test
    void limitsTimesToAYear() {
        assertThat(Engine.nanos(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(TimeUnit.DAYS.toNanos(365));
        assertThat(Engine.nanos(Duration.ofDays(365))).isEqualTo(TimeUnit.DAYS.toNanos(365));
        assertThat(Engine.nanos(Duration.ofDays(365).minusNanos(1))).isEqualTo(TimeUnit.DAYS.toNanos(365) - 1);
    }

    /// Messages, slots and the send buffer must neither overlap nor exceed their region. The messages fill one page.
    @Test
    void laysItsMemoryOut() {
        long base = buffers.local().address();
        for (int slot = 0; slot < OPTIONS.messages(); slot++) {
            MemorySegment message = buffers.message(slot);
            assertThat(message.byteSize()).isEqualTo(32);
            assertThat(message.address() - base).isEqualTo(32L * (ControlMessage.KINDS + slot));
        }
        assertThat(buffers.control(ControlMessage.REGISTER_MEMORY)).isEqualTo(96);
        assertThat(buffers.sendBuffer().byteSize()).isEqualTo(BUFFER);
        assertThat(buffers.sendBuffer().address() - base).isEqualTo(4096);
        assertThat(buffers.sendBuffer(5)).isEqualTo(4101);
        assertThat(buffers.receiveBuffer().byteSize()).isEqualTo(2 * BUFFER);
        RemoteMemory announced = ControlMessage.memory(buffers.local().segment().asSlice(96, 32));
        assertThat(announced.address()).isEqualTo(buffers.receiveBuffer().address());
        assertThat(announced.length()).isEqualTo(2 * BUFFER);
    }

    @Test
    void aCancelledAttemptClosesItsConnection() throws Exception {
        var address = new InetSocketAddress("10.9.0.2", 6380);
        var ended = new CompletableFuture<@Nullable Void>();
        try (var _ = new ToyServer(address, BUFFER, session -> {
            try {
                session.serve();
            } finally {
                ended.complete(null);
            }
        })) {
            assertThat(ValkeyConnection.connectAsync(address, OPTIONS).cancel(true)).isTrue();
            ended.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void anAttemptReportsItsFailure() {
        assertThat(ValkeyConnection.connectAsync(new InetSocketAddress("10.9.0.2", 1), OPTIONS))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(ConnectionRejectedException.class);
    }
}
