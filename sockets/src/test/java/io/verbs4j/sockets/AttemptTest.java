// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.sockets.SocketRules.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attempts to connect that end in an unusual way.
@Timeout(60)
class AttemptTest {
    @Test
    void anErrorIsReportedToTheThreadThatWaits() throws Exception {
        var context = SocketContext.shared();
        var ended = new CountDownLatch(1);
        var attempt = new Attempt(
                context, Transport.RDMA_OR_TCP, Places.RDMA.address(), context.options(), false, () -> {
                    throw new StackOverflowError("as of a small stack");
                }, ended::countDown);
        attempt.start();
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> attempt.await(10_000)).isInstanceOf(IOException.class)
                .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(attempt.isDone()).isTrue();
    }

    private static Attempt attempt(ServerSocketChannel server, Callable<SocketChannel> tcp) throws Exception {
        var context = SocketContext.shared();
        var ended = new CountDownLatch(1);
        var attempt = new Attempt(
                context, Transport.RDMA_OR_TCP, (InetSocketAddress) server.getLocalAddress(), context.options(), false,
                tcp,
                ended::countDown);
        attempt.start();
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        return attempt;
    }

    /// The peer gets the end of the stream, or a reset.
    @ParameterizedTest
    @EnumSource
    void cancellingClosesAConnectionThatWasMade(Places place) throws Exception {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                SocketChannel tcp = JdkProvider.get().openSocketChannel()) {
            Attempt attempt = attempt(server, () -> tcp);
            Attempt.Connected connected = attempt.await(-1);
            assertThat(connected.stream() == null).isEqualTo(place == Places.TCP);
            assertThat(connected.tcp() == null).isEqualTo(place == Places.RDMA);
            attempt.cancel();
            if (place == Places.TCP) {
                assertThat(tcp.isOpen()).isFalse();
            }
            try (SocketChannel there = server.accept()) {
                assertThat(there.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
    }

    @Test
    void aFailedAttemptStaysFailedWhenItIsCancelled() throws Exception {
        SocketChannel tcp = JdkProvider.get().openSocketChannel();
        ServerSocketChannel server = ServerSocketChannel.open().bind(Places.TCP.address());
        var address = (InetSocketAddress) server.getLocalAddress();
        server.close();
        var context = SocketContext.shared();
        var ended = new CountDownLatch(1);
        var attempt = new Attempt(
                context, Transport.RDMA_OR_TCP, address, context.options(), false, () -> tcp, ended::countDown);
        attempt.start();
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        attempt.cancel();
        assertThat(tcp.isOpen()).isFalse();
        assertThatThrownBy(() -> attempt.await(10_000)).isInstanceOf(ConnectException.class)
                .hasMessage("Connection refused");
    }

    @Test
    void cancellingEndsAnAttemptThatIsUnderWay() throws Exception {
        var called = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var context = SocketContext.shared();
        var attempt = new Attempt(
                context, Transport.RDMA_OR_TCP, Places.TCP.address(), context.options(), false, () -> {
                    called.countDown();
                    try {
                        throw new AssertionError(new CountDownLatch(1).await(30, TimeUnit.SECONDS));
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }, ended::countDown);
        attempt.start();
        assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(attempt.isDone()).isFalse();
        assertThat(attempt.await(1)).as("after the timeout").isNull();
        attempt.cancel();
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> attempt.await(10_000)).isInstanceOf(InterruptedIOException.class)
                .hasMessage("connecting was interrupted, or the channel was closed");
    }
}
