// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryRegion;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Streams: both directions at once, how they end, and peers that misbehave.
@DeviceTest
@Needs.OneKernel
class StreamIT {
    private static final StreamOptions OPTIONS =
            StreamOptions.defaults().withConnectTimeout(Steps.LONG).withTimeout(Steps.LONG);
    private static final StreamOptions SMALL = OPTIONS.withBuffers(4096, 4096);
    private static final StreamOptions HASTY = OPTIONS.withTimeout(Duration.ofMillis(200));

    private static final Executor THREADS = command -> Thread.ofPlatform().daemon().start(command);

    private record Pair(RdmaStreamServer server, RdmaStream here, RdmaStream there) implements AutoCloseable {
        static Pair of(StreamOptions options) throws Exception {
            return of(options, Family.IPV4);
        }

        static Pair of(StreamOptions options, Family family) throws Exception {
            RdmaStreamServer server = RdmaStreamServer.listen(family.server(), options);
            CompletableFuture<RdmaStream> accepted = accept(server);
            RdmaStream here = RdmaStream.connect(family.asSeenByClients(server.localAddress()), options);
            return new Pair(server, here, accepted.get(Steps.LONG.toSeconds(), TimeUnit.SECONDS));
        }

        @Override
        public void close() {
            here.close();
            there.close();
            server.close();
        }
    }

    private static CompletableFuture<RdmaStream> accept(RdmaStreamServer server) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return server.accept();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, THREADS);
    }

    @AfterEach
    void leavesNothing() {
        LeakCheck.awaitNothingOfConnections();
    }

    private static CompletableFuture<Void> send(RdmaStream stream, byte[] bytes) {
        return CompletableFuture.runAsync(() -> {
            try {
                stream.write(MemorySegment.ofArray(bytes));
                stream.shutdownOutput();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, THREADS);
    }

    private static byte[] random(int seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void assertFails(int errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class,
                        e -> assertThat(e.errno()).as(e::toString).isEqualTo(errno));
    }

    @ParameterizedTest
    @EnumSource
    void bothSidesSendAtOnceThroughSmallRingsUntilBothHaveShutDown(Family family) throws Exception {
        try (Pair pair = Pair.of(SMALL, family)) {
            byte[] one = random(1, 200_001);
            byte[] other = random(2, 150_000);
            var sending = send(pair.here(), one);
            var answering = send(pair.there(), other);
            var received = CompletableFuture.supplyAsync(() -> {
                try {
                    return pair.there().inputStream().readAllBytes();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }, THREADS);
            assertThat(pair.here().inputStream().readAllBytes()).isEqualTo(other);
            assertThat(received.get(60, TimeUnit.SECONDS)).isEqualTo(one);
            sending.get(60, TimeUnit.SECONDS);
            answering.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void dataThatWereWrittenBeforeCloseAreReadAfterIt() throws Exception {
        try (Pair pair = Pair.of(OPTIONS)) {
            byte[] bytes = random(3, 60_000);
            pair.here().write(MemorySegment.ofArray(bytes));
            pair.here().close();
            assertThat(pair.there().inputStream().readAllBytes()).isEqualTo(bytes);
            assertFails(Errno.ECONNRESET, () -> pair.there().write(MemorySegment.ofArray(bytes)));
            assertThatThrownBy(() -> pair.here().read(MemorySegment.ofArray(bytes)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
        }
    }

    @Test
    void aProgramCanPollForBytes() throws Exception {
        try (Pair pair = Pair.of(OPTIONS)) {
            var target = MemorySegment.ofArray(new byte[5]);
            assertThat(pair.there().readNow(target, 0, 5)).isZero();
            pair.here().write(MemorySegment.ofArray(new byte[]{7, 8, 9}));
            pair.here().close();
            assertThat(pair.there().readNow(target, 0, 0)).isZero();
            assertThat(poll(pair.there(), target, 2)).isEqualTo(3);
            assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 0, 7, 8, 9);
            assertThat(poll(pair.there(), target, 0)).isEqualTo(-1);
        }
    }

    private static int poll(RdmaStream stream, MemorySegment target, int offset) {
        long deadline = System.nanoTime() + Steps.LONG.toNanos();
        int length = (int) target.byteSize() - offset;
        int bytes = stream.readNow(target, offset, length);
        while (bytes == 0 && System.nanoTime() < deadline) {
            Thread.yield();
            bytes = stream.readNow(target, offset, length);
        }
        return bytes;
    }

    @Test
    void aReaderThatWaitsLearnsThatItsStreamIsClosed() throws Exception {
        try (Pair pair = Pair.of(OPTIONS)) {
            var reading = CompletableFuture.supplyAsync(() -> {
                try {
                    return pair.here().read(MemorySegment.ofArray(new byte[8]));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, THREADS);
            Thread.sleep(50);
            pair.here().close();
            assertThatThrownBy(() -> reading.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void readsAndWritesEndAtTheirTimeout() throws Exception {
        try (Pair pair = Pair.of(HASTY)) {
            assertFails(Errno.ETIMEDOUT, () -> pair.here().read(MemorySegment.ofArray(new byte[8])));
            assertFails(Errno.ETIMEDOUT, () -> pair.here().write(MemorySegment.ofArray(new byte[1 << 20])));
        }
    }

    @Test
    void aThreadWhoseReadAndWriteHaveTimedOutHoldsUpNoClose() throws Exception {
        try (Pair pair = Pair.of(HASTY)) {
            var late = new CountDownLatch(1);
            var closed = new CountDownLatch(1);
            var user = InThread.PLATFORM.start(() -> {
                assertFails(Errno.ETIMEDOUT, () -> pair.here().read(MemorySegment.ofArray(new byte[8])));
                assertFails(Errno.ETIMEDOUT, () -> pair.here().write(MemorySegment.ofArray(new byte[1 << 20])));
                late.countDown();
                return closed.await(60, TimeUnit.SECONDS);
            });
            assertThat(late.await(60, TimeUnit.SECONDS)).isTrue();
            InThread.PLATFORM.get(() -> {
                pair.here().close();
                return true;
            });
            closed.countDown();
            assertThat(user.result()).isTrue();
        }
    }

    @Test
    void nobodyListens() {
        InetSocketAddress nobody = CmAddress.right();
        assertThatThrownBy(() -> RdmaStream.connect(nobody, OPTIONS))
                .isInstanceOf(ConnectionRejectedException.class)
                .hasMessageContaining("has no listener");
    }

    @Test
    void aServerRejectsPeersOfAnotherProtocolAndGoesOn() throws Exception {
        try (RdmaStreamServer server = RdmaStreamServer.listen(CmAddress.right(), OPTIONS)) {
            var accepted = accept(server);
            ConnectionOptions other = ConnectionOptions.defaults().withPrivateData(PrivateData.of("hello"));
            assertThatThrownBy(() -> RdmaConnection.connect(server.localAddress(), other))
                    .isInstanceOf(ConnectionRejectedException.class);
            try (
                    RdmaStream here = RdmaStream.connect(server.localAddress(), OPTIONS);
                    RdmaStream there = accepted.get(60, TimeUnit.SECONDS)) {
                assertThat(here.peerAddress()).isEqualTo(there.localAddress());
            }
        }
    }

    @Test
    void aClientRefusesServersOfAnotherProtocol() throws Exception {
        ConnectionOptions other = ConnectionOptions.defaults().withPrivateData(PrivateData.of("hello"));
        try (RdmaServer server = RdmaServer.listen(CmAddress.right(), other)) {
            var accepted = server.acceptAsync();
            assertFails(Errno.EPROTONOSUPPORT, () -> RdmaStream.connect(server.localAddress(), OPTIONS));
            accepted.get(60, TimeUnit.SECONDS).close();
        }
    }

    private static void send(RdmaConnection connection, int immediate) {
        try (var batch = connection.queuePair().beginSend()) {
            batch.signaled().send().immediate(immediate).inline(MemorySegment.ofArray(new byte[0])).post();
            batch.submit();
        }
    }

    /// A reading program that writes what nobody was asked for: immediate data of every kind.
    @Test
    void aPeerThatBreaksTheProtocolIsAnError() throws Exception {
        for (int immediate : new int[]{1 << 29, 5 << 29, 0, 4097, 6 << 29, 7 << 29 | 9}) {
            try (RdmaStreamServer server = RdmaStreamServer.listen(CmAddress.right(), SMALL)) {
                var accepted = accept(server);
                ConnectionOptions liar = ConnectionOptions.defaults()
                        .withQueues(8, 8)
                        .withPreparation(connection -> {
                            try (var batch = connection.queuePair().beginReceive()) {
                                for (int i = 0; i < 8; i++) {
                                    batch.receive();
                                }
                                batch.submit();
                            }
                        })
                        .withPrivateDataOf(StreamGreetings::of);
                try (
                        RdmaConnection client = RdmaConnection.connect(server.localAddress(), liar);
                        RdmaStream there = accepted.get(60, TimeUnit.SECONDS)) {
                    send(client, 3); // that many bytes are data, and no mistake
                    assertThat(there.read(MemorySegment.ofArray(new byte[8]))).isEqualTo(3);
                    send(client, immediate);
                    assertFails(Errno.EPROTO, () -> there.read(MemorySegment.ofArray(new byte[8])));
                }
            }
        }
    }

    @Test
    void eachEndWritesIntoMemoryThatTheOtherHasMapped() throws Exception {
        byte[] content = random(5, 3 * SMALL.sendBytes() + 1);
        try (
                Pair pair = Pair.of(SMALL.withMappings(2));
                MemoryRegion first = pair.there().map(1_000_000, 8192);
                MemoryRegion second = pair.there().map(-8192, 8192);
                MemoryRegion back = pair.here().map(0, content.length)) {
            pair.there().write(MemorySegment.ofArray(new byte[1])); // behind the mappings
            assertThat(pair.here().read(MemorySegment.ofArray(new byte[1]))).isOne();
            pair.here().writeMapped(1_000_010, MemorySegment.ofArray(content), 1, 100);
            pair.here().writeMapped(-8192, MemorySegment.ofArray(content), 0, 8192);
            pair.here().write(MemorySegment.ofArray(new byte[1])); // arrives behind what was written directly
            assertThat(pair.there().read(MemorySegment.ofArray(new byte[1]))).isOne();
            pair.there().writeMapped(0, MemorySegment.ofArray(content), 0, content.length);
            pair.there().write(MemorySegment.ofArray(new byte[1]));
            assertThat(pair.here().read(MemorySegment.ofArray(new byte[1]))).isOne();

            assertThat(first.segment().asSlice(10, 100).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(Arrays.copyOfRange(content, 1, 101));
            assertThat(second.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Arrays.copyOf(content, 8192));
            assertThat(back.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
        }
    }

    @Test
    void nothingIsWrittenWhereThePeerHasMappedNothing() throws Exception {
        try (Pair pair = Pair.of(OPTIONS.withMappings(1)); MemoryRegion region = pair.there().map(100, 50)) {
            pair.there().write(MemorySegment.ofArray(new byte[1]));
            assertThat(pair.here().read(MemorySegment.ofArray(new byte[1]))).isOne();
            var bytes = MemorySegment.ofArray(random(6, 51));
            assertFails(Errno.EINVAL, () -> pair.here().writeMapped(99, bytes, 0, 1));
            assertFails(Errno.EINVAL, () -> pair.here().writeMapped(150, bytes, 0, 1));
            assertFails(Errno.EINVAL, () -> pair.there().writeMapped(0, bytes, 0, 1));
            assertFails(Errno.EINVAL, () -> pair.here().writeMapped(100, bytes, 0, 51)); // the last one lies behind it
            pair.here().write(MemorySegment.ofArray(new byte[1])); // arrives behind what was written directly
            assertThat(pair.there().read(MemorySegment.ofArray(new byte[1]))).isOne();
            assertThat(region.segment().mismatch(bytes)).as("the first byte that did not come").isEqualTo(50);
        }
    }

    @Test
    void aMappingNeedsAFreePlaceAtThePeer() throws Exception {
        try (Pair pair = Pair.of(OPTIONS.withMappings(1))) {
            try (MemoryRegion region = pair.here().map(0, 64)) {
                assertFails(Errno.ENOSPC, () -> pair.here().map(64, 64));
                assertThat(region.isClosed()).isFalse();
            }
            pair.here().map(64, 64); // closed with the stream
        }
        try (Pair pair = Pair.of(OPTIONS)) {
            assertFails(Errno.ENOSPC, () -> pair.here().map(0, 64));
        }
    }

    @Test
    @RealKernel("programs in C")
    void javaCallsPythonOverCsLibrary() throws Exception {
        InetSocketAddress address = CmAddress.right();
        String port = Integer.toString(address.getPort());
        try (var server = CmPrograms.pythonEcho(address).start()) {
            CmPrograms.awaitListener(port);
            try (RdmaStream stream = RdmaStream.connect(address, OPTIONS)) {
                byte[] bytes = random(4, 1000);
                InputStream in = stream.inputStream();
                for (int i = 0; i < 50; i++) {
                    stream.write(MemorySegment.ofArray(bytes));
                    assertThat(in.readNBytes(bytes.length)).isEqualTo(bytes);
                }
                stream.shutdownOutput();
                assertThat(in.read()).isEqualTo(-1);
            }
            assertThat(CmPrograms.output(server)).isEmpty();
        }
    }

    @Test
    @RealKernel("programs in C")
    void pythonOverCsLibraryCallsJava() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (
                RdmaStreamServer server = RdmaStreamServer.listen(address, OPTIONS);
                var client = CmPrograms.pythonCall(address).start();
                RdmaStream stream = accept(server).get(60, TimeUnit.SECONDS)) {
            OutputStream out = stream.outputStream();
            assertThat(stream.inputStream().transferTo(out)).isEqualTo(50_000);
            assertThat(CmPrograms.output(client)).isEqualTo("echoed\n");
        }
    }

    @Test
    @RealKernel("programs in C")
    void aPeerThatIsKilledIsAReset() throws Exception {
        InetSocketAddress address = CmAddress.right();
        String port = Integer.toString(address.getPort());
        try (var server = CmPrograms.cServer("rstream", "-b", "10.9.0.2", "-p", port, "-T", "b", "-S", "64")) {
            CmPrograms.awaitListener(port);
            try (RdmaStream stream = RdmaStream.connect(address, OPTIONS); Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(64);
                stream.write(buffer, 0, 16);
                assertThat(stream.read(buffer)).isEqualTo(16);
                server.signal("KILL");
                assertFails(Errno.ECONNRESET, () -> stream.read(buffer));
                assertFails(Errno.ECONNRESET, () -> stream.write(buffer));
            }
        }
    }
}
