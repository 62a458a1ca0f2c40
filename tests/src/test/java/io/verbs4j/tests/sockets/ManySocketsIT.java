// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import static io.verbs4j.tests.sockets.SelectorIT.read;
import static io.verbs4j.tests.sockets.SelectorIT.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Held;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many sockets: idle, in turn, and at once. The long form (system property `walks.minutes`) has 10,000 idle ones,
/// 20,000 connections in turn, and 1,000 at once.
@DeviceTest
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Needs.OneKernel
@Needs.LongRun("dozens of connections")
class ManySocketsIT {
    private static final String RING = "verbs4j.sockets.ring";
    private static final String CONNECT_SECONDS = "verbs4j.sockets.connect";
    private static final boolean ALL = Long.getLong("walks.minutes", 0) > 0;
    private static final int IDLE = Integer.getInteger("verbs4j.test.sockets.idle", ALL ? 10_000 : 50);
    private static final int IN_TURN = Integer.getInteger("verbs4j.test.connections.in.turn", ALL ? 20_000 : 25);
    private static final int AT_ONCE = Integer.getInteger("verbs4j.test.connections.at.a.time", ALL ? 1_000 : 25);
    private static final int IDLE_MILLIS = 5_000;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 22_004);

    private final RdmaSelectorProvider provider =
            new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));
    private final List<SocketChannel> channels = new ArrayList<>();

    @BeforeEach
    void useSmallRings() {
        System.setProperty(RING, "4096");
        System.setProperty(CONNECT_SECONDS, "120");
    }

    @AfterEach
    void leavesNothing() throws IOException {
        System.clearProperty(RING);
        System.clearProperty(CONNECT_SECONDS);
        for (SocketChannel channel : channels) {
            channel.close();
        }
        LeakCheck.awaitNothingOfConnections();
    }

    private ServerSocketChannel listen() throws IOException {
        return provider.openServerSocketChannel().bind(ADDRESS);
    }

    /// The connecting end, and then the accepted one.
    private List<SocketChannel> connect(ServerSocketChannel server) throws IOException {
        SocketChannel here = provider.openSocketChannel();
        channels.add(here);
        here.connect(ADDRESS);
        SocketChannel there = server.accept();
        channels.add(there);
        return List.of(here, there);
    }

    private static long processorMillis() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return TimeUnit.NANOSECONDS.toMillis(system.getProcessCpuTime());
    }

    @Test
    void idleOnesTakeNoProcessorTime() throws Exception {
        try (Selector selector = provider.openSelector(); ServerSocketChannel server = listen()) {
            connect(server); // loads the classes
            Held before = Held.now();
            long start = System.nanoTime();
            while (channels.size() < IDLE) {
                for (SocketChannel channel : connect(server)) {
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ);
                }
            }
            long micros = (System.nanoTime() - start) / 1000 * 2 / IDLE;
            Held after = Held.now();
            assertThat(selector.selectNow()).isZero();
            long busy = processorMillis();
            assertThat(selector.select(IDLE_MILLIS)).isZero();
            busy = processorMillis() - busy;
            IO.println(
                    IDLE + " sockets, " + micros + " µs per connection, " + before + ", then " + after + "; idle for "
                            + IDLE_MILLIS + " ms: " + busy + " ms of processor time");
            assertThat(after.descriptors() - before.descriptors()).isLessThanOrEqualTo(IDLE);
            assertThat(busy).isLessThan(IDLE_MILLIS / 20);
            for (int i = 2; i < channels.size(); i += 2) {
                write(channels.get(i), i);
            }
            for (int answered = 2; answered < channels.size();) {
                assertThat(selector.select(20_000)).isPositive();
                for (SelectionKey key : selector.selectedKeys()) {
                    assertThat(channels.get(read((SocketChannel) key.channel()) + 1)).isSameAs(key.channel());
                    answered += 2;
                }
                selector.selectedKeys().clear();
            }
        }
    }

    @Test
    void comeAndGoInTurn() throws Exception {
        Held first = Held.now();
        try (ServerSocketChannel server = listen()) {
            for (int i = 0; i < IN_TURN; i++) {
                if (i == IN_TURN / 10) {
                    first = new Held(first.descriptors(), first.identifiers(), first.objects(), Held.now().kilobytes());
                }
                List<SocketChannel> pair = connect(server);
                write(pair.get(i % 2), i);
                assertThat(read(pair.get(1 - i % 2))).isEqualTo(i);
                pair.get(0).close();
                assertThat(pair.get(1).read(ByteBuffer.allocate(1))).isEqualTo(-1);
                pair.get(1).close();
                channels.clear();
            }
        }
        LeakCheck.awaitNothingOfConnections(); // sockets close in the background
        Held last = Held.now();
        IO.println(IN_TURN + " sockets in turn: " + first + ", then " + last);
        last.requireNoMoreThan(first, ALL);
    }

    @Test
    void connectAtOnce() throws Exception {
        try (Selector selector = provider.openSelector(); ServerSocketChannel server = listen()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            for (int i = 0; i < AT_ONCE; i++) {
                SocketChannel here = provider.openSocketChannel();
                channels.add(here);
                here.configureBlocking(false);
                here.connect(ADDRESS);
                here.register(selector, SelectionKey.OP_CONNECT, i);
            }
            for (int answered = 0; answered < AT_ONCE;) {
                assertThat(selector.select(120_000)).isPositive();
                for (SelectionKey key : selector.selectedKeys()) {
                    answered += handle(key) ? 1 : 0;
                }
                selector.selectedKeys().clear();
            }
        }
    }

    /// @return whether a client has its answer
    private boolean handle(SelectionKey key) throws IOException {
        if (key.channel() instanceof ServerSocketChannel server) {
            SocketChannel there = server.accept();
            channels.add(there);
            there.configureBlocking(false);
            there.register(key.selector(), SelectionKey.OP_READ);
            return false;
        }
        var channel = (SocketChannel) key.channel();
        if (key.isConnectable()) {
            assertThat(channel.finishConnect()).isTrue();
            key.interestOps(SelectionKey.OP_READ);
            write(channel, (Integer) key.attachment());
            return false;
        }
        int number = read(channel);
        if (key.attachment() == null) {
            write(channel, number);
            return false;
        }
        assertThat(number).isEqualTo(key.attachment());
        return true;
    }
}
