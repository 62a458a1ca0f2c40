// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.LocalMemory;
import io.verbs4j.RemoteMemory;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.cm.rsocket.RdmaServerSocket;
import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.cm.rsocket.RdmaSocketOptions;
import io.verbs4j.tests.cm.CmAddress;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams between two Java programs, and what they say to peers that break the rules.
@DeviceTest
class RdmaSocketIT {
    private static final ConnectionOptions CONNECTION = ConnectionOptions.defaults().withTimeout(StreamPair.LIMIT);
    private static final RdmaSocketOptions OPTIONS = RdmaSocketOptions.defaults().withConnection(CONNECTION);
    private static final int LIMIT_SECONDS = 120;
    /// An offer of this protocol: two entries at an address that belongs to nobody, and half a ring of 64 KiB there.
    private static final byte[] OFFER = HexFormat.of()
            .parseHex(
                    "0102018000000000" + "0000000000001000" + "00000001" + "00000002" + "0000000000002000" + "00000001"
                            + "00010000");

    @AfterEach
    void leavesNothing() {
        Eventually.until(
                () -> LeakCheck.descriptors().isEmpty(), () -> LeakCheck.descriptors().toString());
        assertThat(LeakCheck.identifiers()).isEmpty();
        assertThat(LeakCheck.objectsOfContexts()).isEmpty();
    }

    private static <T> FutureTask<T> start(Callable<T> task) {
        var running = new FutureTask<>(task);
        Thread.ofVirtual().start(running);
        return running;
    }

    private static MemorySegment text(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertFails(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static byte[] random(int bytes, long seed) {
        var content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return content;
    }

    private static Void send(RdmaSocket socket, byte[] content, long seed) throws InterruptedException {
        var random = new Random(seed);
        for (int done = 0; done < content.length;) {
            int size = Math.min(content.length - done, 1 + random.nextInt(40_000));
            socket.write(MemorySegment.ofArray(content).asSlice(done, size));
            done += size;
        }
        socket.shutdownOutput();
        return null;
    }

    private static byte[] receive(RdmaSocket socket, long seed) throws InterruptedException {
        var random = new Random(seed);
        var received = new ByteArrayOutputStream();
        while (true) {
            byte[] part = new byte[1 + random.nextInt(30_000)];
            long size = socket.read(MemorySegment.ofArray(part));
            if (size < 0) {
                return received.toByteArray();
            }
            received.write(part, 0, (int) size);
        }
    }

    @ParameterizedTest(name = "rings of {0} bytes")
    @ValueSource(ints = {4096, 5008, 131_072})
    void carriesBytesBothWaysAtOnce(int ring) throws Exception {
        byte[] there = random(300_000, 1);
        byte[] back = random(250_000, 2);
        try (StreamPair pair = StreamPair.open(OPTIONS.withBuffers(ring, ring))) {
            var sending = start(() -> send(pair.client(), there, 3));
            var answering = start(() -> send(pair.server(), back, 4));
            var arriving = start(() -> receive(pair.server(), 5));
            assertThat(receive(pair.client(), 6)).isEqualTo(back);
            assertThat(arriving.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(there);
            sending.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            answering.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void manySmallMessagesNeedNewCredits() throws Exception {
        byte[] content = random(2000, 7);
        try (StreamPair pair = StreamPair.open(OPTIONS)) {
            var arriving = start(() -> receive(pair.server(), 8));
            for (byte one : content) {
                pair.client().write(MemorySegment.ofArray(new byte[]{one}));
            }
            pair.client().shutdownOutput();
            assertThat(arriving.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(content);
        }
    }

    @Test
    void aPeerThatEndsItsOutputStillReads() throws Exception {
        try (StreamPair pair = StreamPair.open(OPTIONS)) {
            pair.client().write(text("question"));
            pair.client().shutdownOutput();
            assertThat(new String(pair.server().inputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("question");
            pair.server().write(text("answer"));
            pair.server().close();
            assertThat(new String(pair.client().inputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("answer");
            assertFails(Errno.EPIPE, () -> pair.client().write(text("more")));
        }
    }

    @Test
    void bytesArriveThatWereWrittenBeforeTheClose() throws Exception {
        try (StreamPair pair = StreamPair.open(OPTIONS)) {
            pair.client().write(text("last words"));
            pair.client().close();
            byte[] all = pair.server().inputStream().readAllBytes();
            assertThat(new String(all, StandardCharsets.UTF_8)).isEqualTo("last words");
            assertFails(Errno.EPIPE, () -> pair.server().write(text("too late")));
        }
    }

    @Test
    void waitsNoLongerThanAsked() throws Exception {
        try (StreamPair pair = StreamPair.open(OPTIONS.withBuffers(4096, 4096))) {
            var one = MemorySegment.ofArray(new byte[1]);
            assertThat(pair.client().read(one, Duration.ofMillis(50))).isZero();
            long taken = pair.client().write(MemorySegment.ofArray(new byte[100_000]), Duration.ofMillis(50));
            assertThat(taken).as("bytes for which the rings have room").isBetween(4096L, 8192L);
            assertThat(pair.server().read(one, Duration.ofSeconds(10))).isOne();
        }
    }

    @Test
    void aThreadThatReadsHearsOfTheClose() throws Exception {
        try (StreamPair pair = StreamPair.open(OPTIONS)) {
            var reading = start(() -> pair.client().read(MemorySegment.ofArray(new byte[1])));
            Thread.sleep(100);
            pair.client().close();
            assertThatThrownBy(() -> reading.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            assertThat(pair.server().read(MemorySegment.ofArray(new byte[1]))).isEqualTo(-1);
        }
    }

    @Test
    void anInterruptEndsAWaitAndNothingElse() throws Exception {
        try (StreamPair pair = StreamPair.open(OPTIONS)) {
            var reading = new FutureTask<>(() -> pair.client().read(MemorySegment.ofArray(new byte[1])));
            Thread thread = Thread.ofPlatform().start(reading);
            Thread.sleep(100);
            thread.interrupt();
            assertThatThrownBy(() -> reading.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(InterruptedException.class);
            pair.server().write(text("on"));
            assertThat(pair.client().inputStream().readNBytes(2)).isEqualTo("on".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aStreamOfTheJdkFailsWithIoExceptionOnceClosed() throws Exception {
        try (StreamPair pair = StreamPair.open(OPTIONS)) {
            pair.client().close();
            assertThatThrownBy(() -> pair.client().inputStream().read()).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> pair.client().outputStream().write(1)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void nobodyListens() {
        assertThatThrownBy(() -> RdmaSocket.connect(CmAddress.right(), OPTIONS))
                .isInstanceOf(ConnectionRejectedException.class);
    }

    @ParameterizedTest(name = "private data {0}")
    @ValueSource(strings = {
            "", "02", "01020180000000000000000000001000000000010000000100000000000020000000000100010000"
    })
    void aServerRejectsPeersOfAnotherProtocolAndGoesOn(String data) throws Exception {
        try (RdmaServerSocket server = RdmaServerSocket.listen(CmAddress.right(), OPTIONS)) {
            var accepting = start(server::accept);
            ConnectionOptions foreign =
                    CONNECTION.withPrivateData(PrivateData.of(HexFormat.of().parseHex(data)));
            assertThatThrownBy(() -> RdmaConnection.connect(server.localAddress(), foreign))
                    .isInstanceOf(ConnectionRejectedException.class);
            try (
                    RdmaSocket client = RdmaSocket.connect(server.localAddress(), OPTIONS);
                    RdmaSocket accepted = accepting.get(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                client.write(text("x"));
                assertThat(accepted.read(MemorySegment.ofArray(new byte[1]))).isOne();
            }
        }
    }

    @Test
    void aClientRefusesAServerOfAnotherProtocol() throws Exception {
        try (RdmaServer server = RdmaServer.listen(CmAddress.right(), CONNECTION)) {
            var accepting = start(server::accept);
            assertFails(Errno.EPROTONOSUPPORT, () -> RdmaSocket.connect(server.localAddress(), OPTIONS));
            accepting.get(LIMIT_SECONDS, TimeUnit.SECONDS).close();
        }
    }

    /// What a peer may send that keeps to the connection but not to the rules: more bytes than the ring has, an unknown message.
    @ParameterizedTest(name = "message 0x{0}")
    @ValueSource(strings = {"1fffffff", "00020001", "20000000", "a0000000"})
    void aPeerThatBreaksTheRulesEndsTheStream(String message) throws Exception {
        ConnectionOptions hostile = CONNECTION.withPrivateData(PrivateData.of(OFFER));
        try (RdmaServerSocket server = RdmaServerSocket.listen(CmAddress.right(), OPTIONS)) {
            var accepting = start(server::accept);
            ConnectionOptions ready = hostile.withPreparation(connection -> {
                try (var receives = connection.queuePair().beginReceive()) {
                    receives.receive(new LocalMemory[0]);
                    receives.submit();
                }
            });
            try (
                    RdmaConnection peer = RdmaConnection.connect(server.localAddress(), ready);
                    RdmaSocket accepted = accepting.get(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                try (var batch = peer.queuePair().beginSend()) {
                    batch.rdmaWriteWithImmediate(
                            (int) Long.parseLong(message, 16), new RemoteMemory(0, 0, 0), new LocalMemory[0]);
                    batch.submit();
                }
                assertThatThrownBy(() -> accepted.read(MemorySegment.ofArray(new byte[1])))
                        .isInstanceOf(VerbsException.class);
            }
        }
    }
}
