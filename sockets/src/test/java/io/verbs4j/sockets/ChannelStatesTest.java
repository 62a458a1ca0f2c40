// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.support.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Objects;
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
    @ParameterizedTest
    @EnumSource
    void closingEndsAReaderAndAChangeOfTheMode(Places place) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(place.address())) {
            SocketChannel here = SocketChannel.open(server.getLocalAddress());
            var reading = new FutureTask<>(() -> here.read(ByteBuffer.allocate(1)));
            var configuring = new FutureTask<>(() -> here.configureBlocking(false));
            var closing = new FutureTask<>(() -> {
                here.close();
                return true;
            });
            Thread reader = inThread(reading);
            try {
                awaitIn(reader, place == Places.TCP ? "read0" : "awaitReadable");
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

    /// Connects without blocking, and waits for the result.
    private static SocketChannel connecting(SelectorProvider provider, ServerSocketChannel server) throws IOException {
        try (Selector selector = provider.openSelector()) {
            SocketChannel channel = provider.openSocketChannel();
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT);
            channel.connect(server.getLocalAddress());
            assertThat(selector.select(20_000)).isOne();
            return channel;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptDoesNotEndANonBlockingConnect(Places place) throws IOException {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                SocketChannel channel = connecting(SelectorProvider.provider(), server)) {
            Thread.currentThread().interrupt();
            try {
                assertThat(channel.finishConnect()).isTrue();
                assertThat(channel.isOpen()).isTrue();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("try") // closes within the statement
    void aNonBlockingConnectFailsInAnInterruptedThreadToo(Places place) throws IOException {
        var provider = new RdmaSelectorProvider(
                SocketRules.parse("test", List.of("tcp connect 127.0.0.1 *", "rdma connect * *")));
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                Selector selector = provider.openSelector();
                SocketChannel channel = provider.openSocketChannel()) {
            var address = server.getLocalAddress();
            server.close();
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT);
            channel.connect(address);
            assertThat(selector.select(20_000)).isOne();
            Thread.currentThread().interrupt();
            try {
                assertThatThrownBy(channel::finishConnect).isInstanceOf(ConnectException.class);
                assertThat(channel.isOpen()).isFalse();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    /// The attempt may end before `connect` returns.
    @Test
    void aWaitingSelectorLearnsThatAConnectIsRefused() throws Exception {
        var provider = new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *")));
        try (Selector selector = provider.openSelector(); SocketChannel channel = provider.openSocketChannel()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT);
            var selecting = new FutureTask<>(() -> selector.select(10_000));
            awaitIn(inThread(selecting), "wait");
            channel.connect(Places.RDMA.address());
            assertThat(selecting.get(20, TimeUnit.SECONDS)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSelectorThatWaitsForRoomLearnsThatTheOutputIsShutDown(Places place) throws Exception {
        try (
                Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                SocketChannel here = SocketChannel.open(server.getLocalAddress());
                SocketChannel _ = server.accept()) {
            here.configureBlocking(false);
            here.register(selector, SelectionKey.OP_WRITE);
            while (selector.select(200) > 0) {
                selector.selectedKeys().clear();
                here.write(ByteBuffer.allocate(1 << 20));
            }
            var selecting = new FutureTask<>(() -> selector.select(10_000));
            awaitIn(inThread(selecting), "wait");
            here.shutdownOutput();
            assertThat(selecting.get(20, TimeUnit.SECONDS)).isOne();
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

    /// Another thread closes the channel after the call has found the channel open.
    @ParameterizedTest
    @EnumSource
    void shuttingDownAChannelThatIsClosedMeanwhileFails(Places place) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(place.address())) {
            SocketChannel here = SocketChannel.open(server.getLocalAddress());
            SocketSide side = Objects.requireNonNull(((MixedChannel) here).side());
            here.close();
            assertThatThrownBy(side::shutdownInput).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(side::shutdownOutput).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void optionsOfAPendingConnectAreThoseOfTheConnection() throws IOException {
        var provider = new RdmaSelectorProvider(
                SocketRules.parse("test", List.of("rdma-or-tcp connect 127.0.0.1 *")));
        try (
                ServerSocketChannel server = provider.openServerSocketChannel().bind(Places.TCP.address());
                SocketChannel channel = connecting(provider, server)) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            assertThat(channel.finishConnect()).isTrue();
            assertThat(channel.toString()).endsWith("over TCP");
            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBufferOfSizeZeroIsValidForChannelsOnly(Places place) throws IOException {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                SocketChannel here = SocketChannel.open(server.getLocalAddress())) {
            here.setOption(StandardSocketOptions.SO_SNDBUF, 0).setOption(StandardSocketOptions.SO_RCVBUF, 0);
            server.setOption(StandardSocketOptions.SO_RCVBUF, 0);
            assertThat(here.getOption(StandardSocketOptions.SO_SNDBUF)).isPositive();
            assertThat(here.getOption(StandardSocketOptions.SO_RCVBUF)).isPositive();
            assertThatThrownBy(() -> here.setOption(StandardSocketOptions.SO_SNDBUF, -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> here.socket().setSendBufferSize(0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> here.socket().setReceiveBufferSize(0))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> server.socket().setReceiveBufferSize(0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
