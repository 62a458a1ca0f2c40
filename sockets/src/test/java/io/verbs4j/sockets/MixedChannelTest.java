// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.simulator.SimulatedHost;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.ObjectName;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Channels in blocking mode, and the sockets over them.
@Timeout(60)
class MixedChannelTest {
    /// Number of attempts: the interrupting thread and the interrupted thread race.
    private static final int INTERRUPTS = 50;

    private record Pair(ServerSocketChannel server, SocketChannel here, SocketChannel there) implements AutoCloseable {
        static Pair of(Places place) throws Exception {
            ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
            var accepted = inThread(server::accept);
            SocketChannel here = SocketChannel.open(server.getLocalAddress());
            return new Pair(server, here, accepted.get(30, TimeUnit.SECONDS));
        }

        @Override
        public void close() throws IOException {
            here.close();
            there.close();
            server.close();
        }
    }

    private static <T> CompletableFuture<T> inThread(Callable<T> task) {
        var future = new CompletableFuture<T>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                future.complete(task.call());
            } catch (Exception e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    private static byte[] readAll(SocketChannel channel, int most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(most);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            continue;
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    @Test
    void theseChannelsAreOurs() throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            assertThat(channel).isInstanceOf(MixedChannel.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLargeWriteReturnsWhenAllIsWrittenAndArrivesInOrder(Places place) throws Exception {
        long before = SocketReport.now().rdmaConnects();
        byte[] content = new byte[2_000_000];
        new Random(1).nextBytes(content);
        try (Pair pair = Pair.of(place)) {
            var received = inThread(() -> readAll(pair.there(), content.length + 1));
            ByteBuffer first = ByteBuffer.wrap(content, 0, 10);
            ByteBuffer second =
                    ByteBuffer.allocateDirect(content.length - 10).put(content, 10, content.length - 10).flip();
            assertThat(pair.here().write(new ByteBuffer[]{first, second})).isEqualTo(content.length);
            pair.here().shutdownOutput();
            assertThat(received.get(30, TimeUnit.SECONDS)).isEqualTo(content);
            assertThat(pair.there().write(ByteBuffer.wrap(new byte[]{7}))).isOne();
            assertThat(readAll(pair.here(), 1)).containsExactly(7);
            assertThat(pair.here().getRemoteAddress()).isEqualTo(pair.there().getLocalAddress());
            assertThat(SocketReport.now().rdmaConnects() - before).isEqualTo(place == Places.RDMA ? 1 : 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReaderLearnsThatItsChannelIsClosed(Places place) throws Exception {
        try (Pair pair = Pair.of(place)) {
            var reading = inThread(() -> pair.here().read(ByteBuffer.allocate(1)));
            Thread.sleep(100);
            pair.here().close();
            assertThatThrownBy(() -> reading.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(AsynchronousCloseException.class);
        }
    }

    /// Starts to write, and waits until the writer waits.
    private static CompletableFuture<Object> waitingWriter(SocketChannel channel) throws InterruptedException {
        var written = inThread(() -> {
            while (true) {
                channel.write(ByteBuffer.allocate(100_000));
            }
        });
        Thread.sleep(500);
        return written;
    }

    @ParameterizedTest
    @EnumSource
    void aWriterLearnsThatItsOutputIsShutDown(Places place) throws Exception {
        try (Pair pair = Pair.of(place)) {
            var written = waitingWriter(pair.here());
            pair.here().shutdownOutput();
            assertThatThrownBy(() -> written.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isExactlyInstanceOf(AsynchronousCloseException.class);
            assertThat(pair.here().isOpen()).isTrue();
        }
    }

    /// Over TCP, the JDK's channel may return the number of bytes that it has written.
    @ParameterizedTest
    @EnumSource
    void aWriterLearnsThatItsChannelIsClosed(Places place) throws Exception {
        try (Pair pair = Pair.of(place)) {
            var written = waitingWriter(pair.here());
            pair.here().close();
            assertThatThrownBy(() -> written.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(
                            place == Places.RDMA ? AsynchronousCloseException.class : ClosedChannelException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptAfterAWriteOfANullBufferLeavesTheChannelOpen(Places place) throws Exception {
        try (Pair pair = Pair.of(place)) {
            assertThatThrownBy(() -> pair.here().write(new ByteBuffer[1])).isInstanceOf(NullPointerException.class);
            Thread thread = Thread.currentThread();
            var interrupting = inThread(() -> { // an interrupt by the thread itself closes no channel
                thread.interrupt();
                return true;
            });
            while (!interrupting.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(pair.here().isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptClosesTheChannel(Places place) throws Exception {
        for (int round = 0; round < INTERRUPTS; round++) {
            interruptAReader(place);
        }
    }

    private static void interruptAReader(Places place) throws Exception {
        try (Pair pair = Pair.of(place)) {
            var thread = new CompletableFuture<Thread>();
            var reading = inThread(() -> {
                thread.complete(Thread.currentThread());
                try {
                    return pair.here().read(ByteBuffer.allocate(1));
                } finally {
                    assertThat(Thread.interrupted()).isTrue();
                }
            });
            thread.get(30, TimeUnit.SECONDS);
            Thread.sleep(20);
            thread.get().interrupt();
            assertThatThrownBy(() -> reading.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClosedByInterruptException.class);
            assertThat(pair.here().isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingWithBytesUnreadResetsThePeer(Places place) throws Exception {
        try (Pair pair = Pair.of(place)) {
            pair.here().write(ByteBuffer.wrap(new byte[10]));
            while (pair.there().socket().getInputStream().available() == 0) {
                Thread.sleep(1);
            }
            pair.there().close();
            assertThatThrownBy(() -> {
                while (pair.here().read(ByteBuffer.allocate(1)) >= 0) {
                    continue;
                }
            }).isInstanceOf(SocketException.class).hasMessage("Connection reset");
        }
    }

    /// Closing waits until the written bytes have arrived, or for the linger time.
    @Test
    void closingLingersInBlockingMode() throws Exception {
        assertThat(secondsToClose(true)).isBetween(0.9, 4.9);
        assertThat(secondsToClose(false)).isLessThan(0.9);
        Thread.currentThread().interrupt();
        assertThat(secondsToClose(true)).isLessThan(0.9);
        assertThat(Thread.interrupted()).isTrue();
    }

    /// Writes to a peer that is half a second away, and closes the channel, with a linger time of 5 s.
    private static double secondsToClose(boolean blocking) throws Exception {
        boolean interrupted = Thread.interrupted();
        var host = (SimulatedHost) Host.current();
        host.connectsAcrossTheWire(true);
        try (Pair pair = Pair.of(Places.RDMA)) {
            pair.here().setOption(StandardSocketOptions.SO_LINGER, 5);
            pair.here().configureBlocking(blocking);
            host.network().conditions(LinkConditions.PERFECT.withDelay(Duration.ofMillis(500)));
            pair.here().write(ByteBuffer.allocate(10));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            long start = System.nanoTime();
            pair.here().close();
            return (System.nanoTime() - start) / 1e9;
        } finally {
            host.network().conditions(LinkConditions.PERFECT);
            host.connectsAcrossTheWire(false);
        }
    }

    @Test
    void overRdmaAConnectionOccupiesTheBacklogUntilItIsAccepted() throws Exception {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(Places.RDMA.address(), 1);
                SocketChannel first = SocketChannel.open(server.getLocalAddress());
                SocketChannel second = SocketChannel.open()) {
            second.configureBlocking(false);
            second.connect(server.getLocalAddress());
            try (
                    ServerSocketChannel longer = ServerSocketChannel.open().bind(Places.RDMA.address(), 2);
                    SocketChannel one = SocketChannel.open(longer.getLocalAddress());
                    SocketChannel two = SocketChannel.open(longer.getLocalAddress())) {
                assertThat(one.isConnected() && two.isConnected()).isTrue();
            }
            assertThat(second.finishConnect()).as("meanwhile").isFalse();
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.getRemoteAddress()).isEqualTo(first.getLocalAddress());
                second.configureBlocking(true);
                assertThat(second.finishConnect()).isTrue();
                server.accept().close();
            }
            for (int i = 0; i < 3; i++) {
                try (
                        SocketChannel next = SocketChannel.open(server.getLocalAddress());
                        SocketChannel accepted = server.accept()) {
                    assertThat(accepted.getRemoteAddress()).isEqualTo(next.getLocalAddress());
                }
            }
        }
    }

    /// TLS verifies the name of a peer that the program takes from a socket that connects.
    @ParameterizedTest
    @EnumSource
    void aChannelNamesItsPeerAlreadyWhileItConnects(Places place) throws IOException {
        try (
                ServerSocketChannel server = ServerSocketChannel.open().bind(place.address());
                SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            channel.connect(server.getLocalAddress());
            assertThat(channel.getRemoteAddress()).isEqualTo(server.getLocalAddress());
            assertThat(channel.socket().getRemoteSocketAddress()).isEqualTo(server.getLocalAddress());
            assertThat(channel.socket().getPort()).isEqualTo(server.socket().getLocalPort());
        }
    }

    @Test
    void withoutAListenerTheConnectionIsRefused() throws IOException {
        var provider = new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *")));
        try (SocketChannel channel = provider.openSocketChannel()) {
            assertThatThrownBy(() -> channel.connect(Places.RDMA.address()))
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void whereRdmaDoesNotLeadTcpTakesOverBeforeAnybodySeesIt() throws Exception {
        long before = SocketReport.now().fallbacks();
        var provider = new RdmaSelectorProvider(
                SocketRules.parse("test", List.of("rdma-or-tcp connect 127.0.0.1 *")));
        var events = new ArrayBlockingQueue<RecordedEvent>(10);
        try (
                RecordingStream recording = new RecordingStream();
                ServerSocketChannel server = provider.openServerSocketChannel().bind(Places.TCP.address());
                SocketChannel here = provider.openSocketChannel();
                Selector selector = provider.openSelector()) {
            recording.enable("io.verbs4j.SocketFallback");
            recording.onEvent("io.verbs4j.SocketFallback", events::add);
            recording.startAsync();
            here.configureBlocking(false);
            SelectionKey key = here.register(selector, SelectionKey.OP_CONNECT);
            assertThat(here.connect(server.getLocalAddress())).isFalse();
            assertThat(selector.select(20_000)).isOne();
            assertThat(here.finishConnect()).isTrue();
            assertThat(here.toString()).endsWith("over TCP");
            assertThat(SocketReport.now().fallbacks()).isEqualTo(before + 1);
            key.interestOps(SelectionKey.OP_READ);
            try (SocketChannel there = server.accept()) {
                there.write(ByteBuffer.wrap(new byte[]{1}));
                selector.selectedKeys().clear();
                assertThat(selector.select(20_000)).isOne();
                assertThat(here.read(ByteBuffer.allocate(5))).isOne();
            }
            recording.stop();
            assertThat(events.take().getString("address")).isEqualTo(server.getLocalAddress().toString());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBeanListsConnectionsByTransport(Places place) throws Exception {
        var server = ManagementFactory.getPlatformMBeanServer();
        var bean = JMX.newMXBeanProxy(server, new ObjectName("io.verbs4j:type=Sockets"), SocketsMXBean.class);
        try (Pair pair = Pair.of(place)) {
            String here = SocketAddresses.text((InetSocketAddress) pair.here().getLocalAddress());
            String there = SocketAddresses.text((InetSocketAddress) pair.there().getLocalAddress());
            assertThat(bean.getConnections())
                    .contains(
                            new SocketConnection(place.name(), here, there),
                            new SocketConnection(place.name(), there, here));
            assertThat(bean.getRules()).isEqualTo("RDMA where possible");
            assertThat(bean.getReport().rdmaAccepts()).isEqualTo(SocketReport.now().rdmaAccepts());
        }
        assertThat(bean.getConnections()).isEmpty();
    }

    @Test
    void aListenerAtTheWildcardServesBothOnOnePort() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(null)) {
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            for (String host : List.of("10.9.0.2", "127.0.0.1", "0.0.0.0", "10.9.0.2")) {
                try (
                        SocketChannel here = SocketChannel.open(new InetSocketAddress(host, port));
                        SocketChannel there = server.accept()) {
                    String transport = host.startsWith("127") || host.startsWith("0") ? "over TCP" : "over RDMA";
                    assertThat(here.toString()).endsWith(transport);
                    assertThat(there.toString()).endsWith(transport);
                    here.write(ByteBuffer.wrap(new byte[]{1}));
                    assertThat(readAll(there, 1)).containsExactly(1);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void socketsHaveStreamsTimeoutsAndOptions(Places place) throws Exception {
        try (ServerSocket server = new RdmaServerSocketFactory().createServerSocket()) {
            server.bind(place.address());
            var accepted = inThread(server::accept);
            try (Socket here = new RdmaSocketFactory().createSocket();) {
                here.setTcpNoDelay(true);
                here.setSoLinger(true, 3);
                here.connect(server.getLocalSocketAddress(), 20_000);
                try (Socket there = accepted.get(30, TimeUnit.SECONDS)) {
                    assertThat(here.getTcpNoDelay()).isTrue();
                    assertThat(here.getSoLinger()).isEqualTo(3);
                    here.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
                    assertThat(there.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
                    there.setSoTimeout(100);
                    assertThatThrownBy(() -> there.getInputStream().read())
                            .isInstanceOf(SocketTimeoutException.class)
                            .hasMessage("Read timed out");
                    here.shutdownOutput();
                    assertThat(there.getInputStream().read()).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void optionsThatHaveNoMeaningAreRefused() throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.IP_TOS, 1))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThat(channel.supportedOptions()).hasSize(6);
            assertThat(channel.getOption(StandardSocketOptions.SO_SNDBUF)).isEqualTo(65_536);
            assertThat(channel.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(-1);
        }
    }
}
