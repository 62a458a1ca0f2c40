// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamEndpoint;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Streams for programs that do not wait in them.
@DeviceTest
@Needs.OneKernel
class StreamEndpointIT {
    private static final StreamOptions OPTIONS =
            StreamOptions.defaults().withConnectTimeout(Steps.LONG).withTimeout(Steps.LONG).withBuffers(4096, 4096);

    private record Pair(RdmaStreamServer server, StreamEndpoint here, StreamEndpoint there)
            implements
            AutoCloseable {
        static Pair of() throws Exception {
            RdmaStreamServer server = RdmaStreamServer.listen(CmAddress.right(), OPTIONS);
            var accepted = new CompletableFuture<StreamEndpoint>();
            Thread.ofVirtual().start(() -> {
                try {
                    accepted.complete(server.acceptEndpoint(Steps.LONG).orElseThrow());
                } catch (InterruptedException | RuntimeException e) {
                    accepted.completeExceptionally(e);
                }
            });
            StreamEndpoint here = StreamEndpoint.connect(server.localAddress(), OPTIONS);
            return new Pair(server, here, accepted.get(Steps.LONG.toSeconds(), TimeUnit.SECONDS));
        }

        @Override
        public void close() {
            here.close();
            there.close();
            server.close();
            here.closed().join();
            there.closed().join();
        }
    }

    @AfterEach
    void leavesNothing() {
        LeakCheck.awaitNothingOfConnections();
    }

    private static long write(StreamEndpoint stream, int bytes) {
        return stream.write(new ByteBuffer[]{ByteBuffer.allocate(bytes)}, 0, 1);
    }

    private static int read(StreamEndpoint stream) {
        return stream.read(ByteBuffer.allocate(10_000));
    }

    @Test
    void readsAndWritesReturnWhatIsPossibleNow() throws Exception {
        try (Pair pair = Pair.of()) {
            assertThat(read(pair.here())).isZero();
            assertThat(pair.here().read(ByteBuffer.allocate(0))).isZero();
            assertThat(pair.here().isReadable()).isFalse();
            assertThat(pair.here().awaitWritable(Steps.LONG)).isTrue();
            long written = 0;
            while (pair.here().awaitWritable(Duration.ofMillis(300))) {
                written += write(pair.here(), 1000);
            }
            assertThat(written).isEqualTo(4096);
            assertThat(write(pair.here(), 1)).isZero();
            for (int got = 0; got < written;) {
                assertThat(pair.there().awaitReadable(Steps.LONG)).isTrue();
                got += read(pair.there());
            }
            assertThat(pair.here().awaitWritable(Steps.LONG)).isTrue();
            assertThat(pair.there().isReadable()).isFalse();
        }
    }

    @Test
    void theListenerHearsFromTheThreadThatPolls() throws Exception {
        try (Pair pair = Pair.of()) {
            pair.there().poll();
            var ready = new CountDownLatch(1);
            pair.there().onReady(ready::countDown);
            assertThat(pair.here().awaitWritable(Steps.LONG)).isTrue();
            assertThat(write(pair.here(), 5)).isEqualTo(5);
            long deadline = System.nanoTime() + Steps.LONG.toNanos();
            while (ready.getCount() > 0 && System.nanoTime() < deadline) {
                pair.there().poll();
            }
            assertThat(ready.getCount()).isZero();
            assertThat(read(pair.there())).isEqualTo(5);
        }
    }

    @Test
    void closeDoesNotWaitAndWhatWasWrittenArrives() throws Exception {
        try (Pair pair = Pair.of()) {
            assertThat(write(pair.here(), 2000)).isEqualTo(2000);
            pair.here().close();
            assertThatThrownBy(() -> read(pair.here())).isInstanceOf(IllegalStateException.class);
            assertThat(pair.there().awaitReadable(Steps.LONG)).isTrue();
            assertThat(read(pair.there())).isEqualTo(2000);
            assertThat(pair.there().awaitReadable(Steps.LONG)).isTrue();
            assertThat(read(pair.there())).isEqualTo(-1);
        }
    }

    /// As over TCP: bytes that were written immediately before the reset are not lost. On rxe, the kernel sends in a
    /// thread of its own.
    @RepeatedTest(20)
    void anAbortIsAResetAfterTheBytesWrittenBefore() throws Exception {
        try (Pair pair = Pair.of()) {
            assertThat(write(pair.here(), 2000)).isEqualTo(2000);
            pair.here().abort();
            assertThat(pair.there().awaitReadable(Steps.LONG)).isTrue();
            assertThat(read(pair.there())).isEqualTo(2000);
            assertThat(pair.there().awaitReadable(Steps.LONG)).isTrue();
            assertThatThrownBy(() -> read(pair.there()))
                    .isInstanceOfSatisfying(VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET));
        }
    }
}
