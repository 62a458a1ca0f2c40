// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.support.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// In rare states, a channel behaves as a channel of the JDK.
@Timeout(60)
class ChannelStatesTest {
    private static Thread inThread(FutureTask<?> task) {
        return Thread.ofPlatform().daemon().start(task);
    }

    private static void awaitIn(Thread thread, String method) {
        Eventually.until(
                () -> Stream.of(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals(method)),
                () -> thread + " is not in " + method);
    }

    /// A thread reads. Another thread changes the blocking mode, and waits for the reader. Closing ends both.
    @Test
    void closingEndsAReaderAndAChangeOfTheMode() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(Places.TCP.address())) {
            SocketChannel here = SocketChannel.open(server.getLocalAddress());
            var reading = new FutureTask<>(() -> here.read(ByteBuffer.allocate(1)));
            var configuring = new FutureTask<>(() -> here.configureBlocking(false));
            var closing = new FutureTask<>(() -> {
                here.close();
                return true;
            });
            Thread reader = inThread(reading);
            try {
                awaitIn(reader, "read0");
                awaitIn(inThread(configuring), "lock");
                inThread(closing);
                assertThat(closing.get(10, TimeUnit.SECONDS)).isTrue();
                assertThatThrownBy(() -> reading.get(10, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(AsynchronousCloseException.class);
                assertThatThrownBy(() -> configuring.get(10, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(ClosedChannelException.class);
            } finally {
                reader.interrupt();
            }
        }
    }

    /// The stream was obtained before, but nothing was read from it.
    @ParameterizedTest
    @EnumSource
    void aStreamEndsWhenItsInputIsShutDown(Places place) throws IOException {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                SocketChannel here = SocketChannel.open(server.getLocalAddress())) {
            InputStream in = here.socket().getInputStream();
            here.shutdownInput();
            assertThat(in.available()).isZero();
            assertThat(in.read()).isEqualTo(-1);
        }
    }
}
