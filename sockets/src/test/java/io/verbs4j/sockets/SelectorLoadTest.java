// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static io.verbs4j.sockets.MixedSelectorTest.receive;
import static io.verbs4j.sockets.MixedSelectorTest.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.tests.support.OpenFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Selectors with many connections, and selectors that are closed while others use them.
@Timeout(120)
class SelectorLoadTest {
    private static final String RING = "verbs4j.sockets.ring";
    private static final String CONNECT_SECONDS = "verbs4j.sockets.connect";
    /// The tests also pass with a thousand connections, but then take 15 seconds.
    private static final int CONNECTIONS = 300;
    private static final int CLOSES = 20;

    private final RdmaSelectorProvider provider =
            new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));
    private final String ring = System.getProperty(RING);
    private long descriptors;

    @BeforeEach
    void useSmallRings() throws IOException {
        JdkProvider.get().openSelector().close(); // the JDK keeps some descriptors
        descriptors = waitingDescriptors();
        System.setProperty(RING, "4096");
        System.setProperty(CONNECT_SECONDS, "60");
    }

    /// Channels are released in the background.
    @AfterEach
    void leavesNothing() throws IOException {
        System.setProperty(RING, ring);
        System.clearProperty(CONNECT_SECONDS);
        var host = (SimulatedHost) Host.current();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while ((!host.identifiers().isEmpty() || !objects(host).isEmpty())
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(host.identifiers()).isEmpty();
        assertThat(objects(host)).isEmpty();
        assertThat(SocketCounters.OPEN).isEmpty();
        assertThat(waitingDescriptors()).isEqualTo(descriptors);
    }

    private static List<String> objects(SimulatedHost host) {
        return Stream.of("rxe0", "rxe1").flatMap(name -> host.find(name).orElseThrow().objects().stream()).toList();
    }

    /// Returns the number of file descriptors that selectors use for waiting.
    private static long waitingDescriptors() {
        return OpenFiles.count("anon_inode:[event");
    }

    private ServerSocketChannel listen() throws IOException {
        return provider.openServerSocketChannel().bind(Places.RDMA.address(), 10);
    }

    private SocketChannel connect(ServerSocketChannel server) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        channel.connect(server.getLocalAddress());
        return channel;
    }

    private static void accept(SelectionKey key) throws IOException {
        var server = (ServerSocketChannel) key.channel();
        for (SocketChannel peer = server.accept(); peer != null; peer = server.accept()) {
            peer.configureBlocking(false);
            peer.register(key.selector(), SelectionKey.OP_READ);
        }
    }

    /// @return whether the client has received its number
    private static boolean answer(SelectionKey key) throws IOException {
        int number = receive(key);
        if (number >= 0 && key.attachment() == null) {
            send(key, number);
            return false;
        }
        key.channel().close();
        if (number >= 0) {
            assertThat(number).isEqualTo(key.attachment());
        }
        return number >= 0;
    }

    /// All but a few connections wait for a place in the backlog.
    @Test
    void hundredsConnectAtOnce() throws Exception {
        try (Selector selector = provider.openSelector(); ServerSocketChannel server = listen()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            var address = (InetSocketAddress) server.getLocalAddress();
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketChannel client = provider.openSocketChannel();
                client.configureBlocking(false);
                client.connect(address);
                client.register(selector, SelectionKey.OP_CONNECT, i);
            }
            for (int answered = 0; answered < CONNECTIONS;) {
                assertThat(selector.select(30_000)).isPositive();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept(key);
                    } else if (key.isConnectable()) {
                        assertThat(((SocketChannel) key.channel()).finishConnect()).isTrue();
                        key.interestOps(SelectionKey.OP_READ);
                        send(key, (Integer) key.attachment());
                    } else if (answer(key)) {
                        answered++;
                    }
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
    }

    private static Thread started(Runnable action) {
        return Thread.ofPlatform().daemon().start(action);
    }

    /// Reads until the selector is closed.
    private static void readAll(Selector selector) {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        try {
            while (true) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    ((SocketChannel) key.channel()).read(buffer.clear());
                }
                selector.selectedKeys().clear();
            }
        } catch (ClosedSelectorException e) {
            return;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Registers channels until the selector is closed.
    private void registerMany(Selector selector) {
        try {
            while (true) {
                try (SocketChannel channel = provider.openSocketChannel()) {
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_CONNECT);
                }
            }
        } catch (ClosedSelectorException | CancelledKeyException e) {
            return;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void writeUntil(AtomicBoolean end, SocketChannel channel) {
        try {
            while (!end.get()) {
                channel.write(ByteBuffer.allocate(10));
            }
            channel.shutdownOutput();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSelectorMayBeClosedUnderLoad() throws Exception {
        try (
                ServerSocketChannel server = listen();
                SocketChannel here = connect(server);
                SocketChannel there = server.accept()) {
            var end = new AtomicBoolean();
            Thread writer = started(() -> writeUntil(end, here));
            for (int i = 0; i < CLOSES; i++) {
                Selector selector = provider.openSelector();
                there.configureBlocking(false);
                SelectionKey key = there.register(selector, SelectionKey.OP_READ);
                var threads = List.of(started(() -> readAll(selector)), started(() -> registerMany(selector)));
                Thread.sleep(20);
                selector.close();
                for (Thread thread : threads) {
                    thread.join(30_000);
                    assertThat(thread.isAlive()).isFalse();
                }
                assertThat(key.isValid()).isFalse();
                assertThat(there.isRegistered()).isFalse();
                assertThatThrownBy(selector::selectNow).isInstanceOf(ClosedSelectorException.class);
                there.configureBlocking(true);
                assertThat(there.read(ByteBuffer.allocate(10))).as("the channel still works").isPositive();
            }
            end.set(true);
            while (there.read(ByteBuffer.allocate(1000)) >= 0) {
                continue;
            }
            writer.join();
        }
    }

    /// Credits, completed writes and readiness without interest wake the selector, but must not end a select.
    @Test
    void newsThatNoKeyAsksForEndsNoSelect() throws Exception {
        try (
                Selector selector = provider.openSelector();
                ServerSocketChannel server = listen();
                SocketChannel here = connect(server);
                SocketChannel there = server.accept()) {
            here.configureBlocking(false);
            SelectionKey key = here.register(selector, SelectionKey.OP_READ);
            var end = new AtomicBoolean();
            Thread writer = started(() -> writeUntil(end, here));
            Thread reader = started(() -> {
                try {
                    while (there.read(ByteBuffer.allocate(100)) >= 0) {
                        continue;
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            long start = System.nanoTime();
            assertThat(selector.select(700)).isZero();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(699));
            end.set(true);
            writer.join();
            there.shutdownOutput();
            assertThat(selector.select(30_000)).isOne();
            assertThat(key.isReadable()).isTrue();
            reader.join();
        }
    }

    /// Each connection needs memory for rings, and the peers decide how many connections they make.
    @Test
    void connectionsThatTheProgramDoesNotAcceptAreLimitedByTheBacklog() throws Exception {
        try (ServerSocketChannel server = provider.openServerSocketChannel().bind(Places.RDMA.address(), 2)) {
            var clients = new ArrayList<SocketChannel>();
            for (int i = 0; i < 5; i++) {
                SocketChannel client = provider.openSocketChannel();
                client.configureBlocking(false);
                client.connect(server.getLocalAddress());
                clients.add(client);
            }
            awaitConnected(clients, 2);
            Thread.sleep(200);
            awaitConnected(clients, 2);
            server.accept().close();
            awaitConnected(clients, 3);
            for (int i = 1; i < clients.size(); i++) {
                server.accept().close();
            }
            awaitConnected(clients, clients.size());
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static void awaitConnected(List<SocketChannel> clients, int expected) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        int connected;
        do {
            connected = 0;
            for (SocketChannel client : clients) {
                connected += client.finishConnect() ? 1 : 0;
            }
        } while (connected < expected && System.nanoTime() < deadline);
        assertThat(connected).isEqualTo(expected);
    }
}
