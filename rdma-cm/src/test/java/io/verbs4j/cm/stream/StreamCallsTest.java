// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryRegion;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls each method of a stream's adapters to `java.io`, and compares the results.
@Timeout(60)
class StreamCallsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7471);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private Host.Replacement current = () -> {};

    @BeforeEach
    void becomeCurrent() {
        host.addDevice("rxe0");
        current = Host.replaceCurrent(host);
    }

    @AfterEach
    void end() {
        current.close();
        network.close();
    }

    /// No other call polls this stream.
    @Test
    void bytesThatHaveArrivedAreAvailable() throws Exception {
        var accepted = new CompletableFuture<StreamEndpoint>();
        try (RdmaStreamServer server = RdmaStreamServer.listen(ADDRESS)) {
            server.acceptEach(1, accepted::complete);
            try (RdmaStream here = RdmaStream.connect(ADDRESS); StreamEndpoint there = accepted.get()) {
                here.write(MemorySegment.ofArray(new byte[3]));
                Eventually.until(
                        Duration.ofSeconds(10), () -> there.available() == 3, () -> there.available() + " bytes");
            }
        }
    }

    @Test
    void bytesAreReadAsTheyWereWritten() throws Exception {
        var accepted = new CompletableFuture<StreamEndpoint>();
        try (RdmaStreamServer server = RdmaStreamServer.listen(ADDRESS)) {
            assertThat(server.accept(Duration.ofMillis(1))).as("after the timeout").isEqualTo(Optional.empty());
            server.acceptEach(1, accepted::complete);
            RdmaStream here = RdmaStream.connect(ADDRESS);
            RdmaStream there = RdmaStream.of(accepted.get(), StreamOptions.defaults());
            OutputStream out = here.outputStream();
            InputStream in = there.inputStream();
            out.write(0x1ff);
            out.write(0);
            out.write(new byte[]{1, 2, 3, 4}, 1, 2);
            int[] read = {in.read(), in.read(), in.read()};
            assertThat(read).containsExactly(0xff, 0, 2);
            assertThat(in.available()).isOne();
            assertThat(in.read()).isEqualTo(3);
            assertThat(in.available()).isZero();
            Thread.currentThread().interrupt();
            assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class)
                    .hasMessage("interrupted while reading from " + there);
            assertThat(Thread.interrupted()).isTrue();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(InterruptedIOException.class)
                    .hasMessage("interrupted while writing to " + here);
            assertThat(Thread.interrupted()).isTrue();
            out.close();
            assertThat(in.read()).isEqualTo(-1);
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class).hasMessage("the stream is closed");
            in.close();
            assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("the stream is closed");
        }
    }

    private static MemorySegment random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private static void assertTimeout(ThrowingCallable call, String hint) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                .hasMessageEndingWith(": " + hint);
    }

    @Test
    void partsOfSegmentsAreReadWrittenAndMapped() throws Exception {
        StreamOptions options = StreamOptions.defaults()
                .withBuffers(1 << 17, 1 << 17)
                .withMappings(1)
                .withTimeout(Duration.ofMillis(500));
        var accepted = new CompletableFuture<StreamEndpoint>();
        try (RdmaStreamServer server = RdmaStreamServer.listen(ADDRESS, options)) {
            server.acceptEach(1, accepted::complete);
            try (
                    RdmaStream here = RdmaStream.connect(ADDRESS, options);
                    RdmaStream there = RdmaStream.of(accepted.get(), options.withTimeout(Duration.ofMillis(20)))) {
                MemorySegment bytes = random(300_000);
                MemorySegment room = MemorySegment.ofArray(new byte[1000]);
                for (ThrowingCallable call : List.<ThrowingCallable>of(
                        () -> here.write(room, 1, 1000), () -> here.write(room, -1, 1), () -> there.read(room, 999, 2),
                        () -> here.writeMapped(0, room, 1, 1000))) {
                    assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
                }
                assertThat(there.read(room, 0, 0)).isZero();
                assertTimeout(() -> there.read(room), "the peer has sent nothing");
                here.write(bytes, 7, 5);
                assertThat(accepted.get().awaitReadable(Duration.ofSeconds(20))).isTrue();
                assertThat(there.read(room, 10, 3) + there.read(room, 13, 100)).isEqualTo(5);
                assertThat(room.asSlice(10, 5).mismatch(bytes.asSlice(7, 5))).isEqualTo(-1);
                assertTimeout(() -> here.write(bytes), "the peer does not read");

                MemoryRegion mapped = there.map(1 << 20, 250_000);
                here.writeMapped((1 << 20) + 3, bytes, 11, 249_997);
                while (mapped.segment().asSlice(3).mismatch(bytes.asSlice(11, 249_997)) != -1) {
                    Thread.onSpinWait(); // until all has arrived
                }
                var another = new FutureTask<Void>(() -> { // which would wait for a lock that a call has left
                    here.write(bytes, 0, 0);
                    return null;
                });
                Thread.ofPlatform().daemon().start(another);
                another.get(20, TimeUnit.SECONDS);
            }
        }
    }
}
