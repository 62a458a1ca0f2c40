// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.support.Eventually;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One selector for channels over RDMA, over TCP, and the JDK's own.
@Timeout(60)
class MixedSelectorTest {
    private static final int ROUNDS = 200;

    private static SocketChannel connecting(InetSocketAddress address) throws Exception {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(address);
        return channel;
    }

    private static InetSocketAddress address(ServerSocketChannel server) throws Exception {
        return (InetSocketAddress) server.getLocalAddress();
    }

    /// Clients over RDMA and over TCP, and a server for each, send a number to and fro. One thread with one selector
    /// serves all of them.
    @Test
    void aThreadServesRdmaAndTcp() throws Exception {
        try (
                Selector selector = Selector.open();
                ServerSocketChannel rdma = ServerSocketChannel.open().bind(Places.RDMA.address());
                ServerSocketChannel tcp = ServerSocketChannel.open().bind(Places.TCP.address())) {
            for (ServerSocketChannel server : List.of(rdma, tcp)) {
                server.configureBlocking(false);
                server.register(selector, SelectionKey.OP_ACCEPT);
            }
            var clients = new ArrayList<SocketChannel>();
            for (int i = 0; i < 3; i++) {
                for (ServerSocketChannel server : List.of(rdma, tcp)) {
                    SocketChannel client = connecting(address(server));
                    client.register(selector, SelectionKey.OP_CONNECT, new int[1]);
                    clients.add(client);
                }
            }
            int finished = 0;
            while (finished < clients.size()) {
                selector.select(20_000);
                assertThat(selector.selectedKeys()).isNotEmpty();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        SocketChannel peer = ((ServerSocketChannel) key.channel()).accept();
                        if (peer != null) {
                            peer.configureBlocking(false);
                            peer.register(selector, SelectionKey.OP_READ);
                        }
                    } else if (key.isConnectable()) {
                        assertThat(((SocketChannel) key.channel()).finishConnect()).isTrue();
                        key.interestOps(SelectionKey.OP_READ);
                        send(key, 0);
                    } else if (key.isReadable()) {
                        int number = receive(key);
                        if (number < 0) {
                            key.channel().close();
                        } else if (key.attachment() == null) {
                            send(key, number);
                        } else if (++((int[]) key.attachment())[0] == ROUNDS) {
                            key.channel().close();
                            finished++;
                        } else {
                            send(key, number + 1);
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
    }

    static void send(SelectionKey key, int number) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(4).putInt(number).flip();
        assertThat(((SocketChannel) key.channel()).write(buffer)).isEqualTo(4);
    }

    /// @return -1 at the end
    static int receive(SelectionKey key) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(4);
        while (buffer.hasRemaining()) {
            if (((SocketChannel) key.channel()).read(buffer) < 0) {
                return -1;
            }
        }
        return buffer.flip().getInt();
    }

    @Test
    void readinessToWriteEndsAndComesBack() throws Exception {
        try (
                Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open().bind(Places.RDMA.address());
                SocketChannel here = connecting(address(server))) {
            SelectionKey key = here.register(selector, SelectionKey.OP_CONNECT);
            try (SocketChannel there = server.accept()) {
                assertThat(selector.select(20_000)).isOne();
                here.finishConnect();
                key.interestOps(SelectionKey.OP_WRITE);
                long written = 0;
                selector.selectedKeys().clear();
                while (selector.select(500) > 0) {
                    selector.selectedKeys().clear();
                    written += here.write(ByteBuffer.allocateDirect(10_000));
                }
                assertThat(written).isEqualTo(65_536);
                assertThat(here.write(ByteBuffer.allocate(1))).isZero();
                ByteBuffer all = ByteBuffer.allocate((int) written);
                while (all.hasRemaining()) {
                    there.read(all);
                }
                assertThat(selector.select(20_000)).isOne();
                assertThat(key.isWritable()).isTrue();
                assertThat(selector.select()).as("nothing has changed").isZero();
            }
        }
    }

    @Test
    void aWakeupCountsOnceAndNothingElseEndsAWait() throws Exception {
        try (
                Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open().bind(Places.RDMA.address());
                SocketChannel here = SocketChannel.open(server.getLocalAddress());
                SocketChannel there = server.accept()) {
            here.configureBlocking(false);
            SelectionKey key = here.register(selector, 0);
            selector.wakeup();
            assertThat(selector.select()).isZero();
            there.write(ByteBuffer.allocate(10)); // no key is interested in reading
            long start = System.nanoTime();
            assertThat(selector.select(300)).isZero();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(299));
            key.interestOps(SelectionKey.OP_READ);
            assertThat(selector.select(20_000)).isOne();
            assertThatThrownBy(() -> selector.selectedKeys().add(key))
                    .isInstanceOf(UnsupportedOperationException.class);
            var seen = new ArrayList<SelectionKey>();
            assertThat(selector.select(seen::add, 20_000)).isOne();
            assertThat(seen).containsExactly(key);
            key.cancel();
            here.configureBlocking(true);
            assertThat(here.read(ByteBuffer.allocate(100))).isEqualTo(10);
        }
    }

    /// A thread that changes the interest of a key has marked the key, and not yet pushed it.
    @Test
    void aSignalDuringAChangeOfInterestIsNotLost() throws Exception {
        try (
                Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open().bind(Places.RDMA.address());
                SocketChannel here = SocketChannel.open(server.getLocalAddress());
                SocketChannel there = server.accept()) {
            here.configureBlocking(false);
            var key = (MixedKey) here.register(selector, SelectionKey.OP_READ);
            do {
                assertThat(selector.selectNow()).isZero();
            } while (!key.enter()); // marked if the first messages of the connection have just arrived
            Thread selecting = Thread.currentThread();
            CompletableFuture<Void> changing = CompletableFuture.runAsync(() -> {
                ListenerTest.awaitSelecting(selecting);
                try {
                    there.write(ByteBuffer.allocate(1));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                Eventually.until(key::isSignalled, () -> "no signal");
                ListenerTest.awaitSelecting(selecting);
                ((MixedSelector) selector).push(key);
            });
            assertThat(selector.select()).isOne();
            changing.get(20, TimeUnit.SECONDS);
        }
    }

    /// Another thread may find a key in the selector's set before `register` has returned.
    @Test
    void aKeyMayBeCancelledWhileItIsRegistered() throws Exception {
        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open()) {
            Thread canceller = Thread.ofPlatform().start(() -> {
                while (!Thread.interrupted()) {
                    selector.keys().forEach(SelectionKey::cancel);
                }
            });
            try {
                channel.configureBlocking(false);
                for (int i = 0; i < 20_000; i++) {
                    channel.register(selector, SelectionKey.OP_READ).cancel();
                    while (!selector.keys().isEmpty()) {
                        selector.selectNow();
                    }
                }
            } finally {
                canceller.interrupt();
                canceller.join();
            }
        }
    }

    /// Another thread closes a channel over TCP after the JDK has found the channel ready.
    @Test
    void aKeyMayBeCancelledWhileItIsCollected() throws Exception {
        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            var cancelled = new AbstractSelectionKey() { // valid, but no longer when its operations are read
                @Override
                public SelectableChannel channel() {
                    return channel;
                }

                @Override
                public Selector selector() {
                    return selector;
                }

                @Override
                public int interestOps() {
                    throw new CancelledKeyException();
                }

                @Override
                public SelectionKey interestOps(int ops) {
                    throw new CancelledKeyException();
                }

                @Override
                public int readyOps() {
                    throw new CancelledKeyException();
                }
            };
            cancelled.attach(channel.register(selector, SelectionKey.OP_READ));
            ((MixedSelector) selector).collect(cancelled);
            assertThat(selector.selectNow()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {9_223_372_036_854L, Long.MAX_VALUE})
    void theLongestTimeoutsAreValid(long timeout) throws Exception {
        try (Selector selector = Selector.open()) {
            Thread selecting = Thread.currentThread();
            CompletableFuture<Void> waking = CompletableFuture.runAsync(() -> {
                ListenerTest.awaitSelecting(selecting);
                selector.wakeup();
            });
            assertThat(selector.select(timeout)).isZero();
            waking.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void anInterruptEndsAWaitAndRemains() throws Exception {
        try (Selector selector = Selector.open()) {
            Thread thread = Thread.currentThread();
            Thread.ofVirtual().start(() -> {
                LockSupport.parkNanos(50_000_000);
                thread.interrupt();
            });
            assertThat(selector.select()).isZero();
            assertThat(selector.select()).as("still interrupted").isZero();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /// The JDK frees a closed channel when the last of the channel's keys is removed.
    @Test
    void aPipeThatIsClosedDuringASelectIsFreed() throws Exception {
        Pipe pipe = Pipe.open();
        try (Selector selector = Selector.open(); var sink = pipe.sink()) {
            pipe.source().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            Thread selecting = Thread.currentThread();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
                ListenerTest.awaitSelecting(selecting);
                try {
                    pipe.source().close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                selector.wakeup();
            });
            assertThat(selector.select(20_000)).isZero();
            closing.get(20, TimeUnit.SECONDS);
            assertThat(selector.keys()).isEmpty();
            assertThatThrownBy(() -> sink.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theJdksOwnChannelsAreSelectedToo() throws Exception {
        try (Selector selector = Selector.open()) {
            Pipe pipe = Pipe.open();
            try (var source = pipe.source(); var sink = pipe.sink()) {
                source.configureBlocking(false);
                SelectionKey key = source.register(selector, SelectionKey.OP_READ, "pipe");
                assertThat(selector.selectNow()).isZero();
                sink.write(ByteBuffer.allocate(1));
                assertThat(selector.select(20_000)).isOne();
                assertThat(selector.selectedKeys()).containsExactly(key);
                assertThat(key.attachment()).isEqualTo("pipe");
            }
        }
    }
}
