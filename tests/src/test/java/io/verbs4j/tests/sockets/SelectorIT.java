// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.OpenFiles;
import io.verbs4j.tests.support.Simulated;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Channels over RDMA whose events the JDK's selector waits for.
@DeviceTest
@Needs.OneKernel
class SelectorIT {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 22_003);
    private static final int ROUNDS = 100;

    private final RdmaSelectorProvider provider =
            new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));
    private final List<SocketChannel> channels = new ArrayList<>();

    @AfterEach
    void leavesNothing() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        LeakCheck.awaitNothingOfConnections();
    }

    /// The first channel of each pair has connected, the second was accepted.
    private void connect(int pairs) throws IOException {
        try (ServerSocketChannel server = provider.openServerSocketChannel().bind(ADDRESS)) {
            for (int i = 0; i < pairs; i++) {
                SocketChannel here = provider.openSocketChannel();
                channels.add(here);
                here.connect(ADDRESS);
                channels.add(server.accept());
            }
        }
    }

    private static SelectionKey register(SocketChannel channel, Selector selector) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, SelectionKey.OP_READ);
    }

    private static long epolls() {
        return OpenFiles.count("anon_inode:[eventpoll]");
    }

    static int read(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(4);
        assertThat(channel.read(buffer)).isEqualTo(4);
        return buffer.flip().getInt();
    }

    static void write(SocketChannel channel, int number) throws IOException {
        assertThat(channel.write(ByteBuffer.allocate(4).putInt(number).flip())).isEqualTo(4);
    }

    /// Sends numbers to and fro until each pair has exchanged the last one.
    private static void exchange(Selector selector, List<SocketChannel> channels) throws IOException {
        for (int i = 0; i < channels.size(); i += 2) {
            write(channels.get(i), 0);
        }
        for (int finished = 0; finished < channels.size() / 2;) {
            assertThat(selector.select(20_000)).isPositive();
            for (SelectionKey key : selector.selectedKeys()) {
                int number = read((SocketChannel) key.channel());
                if (number < ROUNDS) {
                    write((SocketChannel) key.channel(), number + 1);
                } else {
                    finished++;
                }
            }
            selector.selectedKeys().clear();
        }
    }

    /// The selector, its set of events, and the datagram channel that lends its descriptor have an epoll descriptor
    /// each.
    @Test
    void waitsForTheEventsOfFewAndOfMoreConnections() throws Exception {
        connect(1);
        long before = epolls();
        try (Selector selector = provider.openSelector()) {
            for (SocketChannel channel : channels) {
                register(channel, selector);
            }
            exchange(selector, channels);
            assertThat(epolls() - before).isEqualTo(Simulated.isUsed() ? 1 : 3);
            connect(4);
            for (SocketChannel channel : channels.subList(2, channels.size())) {
                register(channel, selector);
            }
            exchange(selector, channels);
        }
        assertThat(epolls()).isEqualTo(before);
    }

    /// Returns the next number that arrives, after waiting for it in a selector.
    private static int select(Selector selector, SocketChannel channel) throws IOException {
        assertThat(selector.select(10_000)).isOne();
        selector.selectedKeys().clear();
        return read(channel);
    }

    @Test
    void aChannelWakesEachOfItsSelectorsThoughTheOthersAreIdle() throws Exception {
        connect(1);
        SocketChannel here = channels.get(0);
        SocketChannel there = channels.get(1);
        try (Selector first = provider.openSelector(); Selector second = provider.openSelector()) {
            register(there, first);
            assertThat(first.selectNow()).isZero();
            SelectionKey key = register(there, second);
            assertThat(second.selectNow()).isZero();
            write(here, 1);
            assertThat(select(first, there)).isEqualTo(1);
            write(here, 2);
            assertThat(select(second, there)).isEqualTo(2);
            there.keyFor(first).interestOps(SelectionKey.OP_READ); // moves the events of a channel of one selector
            assertThat(first.selectNow()).isZero();
            write(here, 3);
            assertThat(select(second, there)).isEqualTo(3);
            key.cancel();
            assertThat(second.selectNow()).isZero();
            write(here, 4);
            assertThat(select(first, there)).isEqualTo(4);
        }
    }

    private void assertReadWaits(SocketChannel from, SocketChannel to) throws Exception {
        CompletableFuture<Integer> number = CompletableFuture.supplyAsync(() -> {
            try {
                return read(to);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        Thread.sleep(50);
        write(from, 7);
        assertThat(number.get(20, TimeUnit.SECONDS)).isEqualTo(7);
    }

    @Test
    void aChannelThatBecomesBlockingOrWhoseSelectorIsClosedNeedsNoSelect() throws Exception {
        connect(1);
        SocketChannel here = channels.get(0);
        SocketChannel there = channels.get(1);
        try (Selector selector = provider.openSelector()) {
            SelectionKey key = register(there, selector);
            assertThat(selector.selectNow()).isZero();
            key.cancel();
            there.configureBlocking(true);
            assertReadWaits(here, there);
            selector.selectNow();
            register(there, selector);
            assertThat(selector.selectNow()).isZero();
        }
        there.configureBlocking(true);
        assertReadWaits(here, there);
    }

    /// The bytes arrive before those of a second connection, whose peer answers.
    @Test
    void closingAChannelWithBytesThatItsIdleSelectorHasNotSeenResetsThePeer() throws Exception {
        connect(2);
        SocketChannel here = channels.get(0);
        SocketChannel there = channels.get(1);
        try (Selector selector = provider.openSelector()) {
            register(there, selector);
            assertThat(selector.selectNow()).isZero();
            write(here, 1);
            for (int i = 0; i < ROUNDS; i++) {
                write(channels.get(2), i);
                write(channels.get(3), read(channels.get(3)));
                assertThat(read(channels.get(2))).isEqualTo(i);
            }
            there.close();
            assertThatThrownBy(() -> here.read(ByteBuffer.allocate(1))).hasMessage("Connection reset");
        }
    }

    /// Closing, in the background, waits until the bytes have arrived, for at most 10 seconds.
    @Test
    void aChannelThatIsClosedWhileItsSelectorIsIdleSendsItsBytes() throws Exception {
        connect(1);
        SocketChannel here = channels.get(0);
        SocketChannel there = channels.get(1);
        try (Selector selector = provider.openSelector()) {
            register(here, selector);
            assertThat(selector.selectNow()).isZero();
            write(here, 9);
            long start = System.nanoTime();
            here.close();
            assertThat(read(there)).isEqualTo(9);
            assertThat(there.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            there.close();
            LeakCheck.awaitNothingOfConnections();
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(8));
        }
    }
}
