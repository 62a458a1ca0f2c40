// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Channels with C's `rstream` at the other end, which compares each byte with what it expects: one more than the byte
/// before it.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
class RstreamPeersIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String HOST = "10.9.0.2";
    private static final int SIZE = 10_007;
    private static final int COUNT = 4;
    private static final int ITERATIONS = 10;
    /// What `rstream` exchanges before it measures.
    private static final int SYNC = 16;

    private final RdmaSelectorProvider provider =
            new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));

    /// Channels end in the background.
    @AfterEach
    void leavesNothing() {
        LeakCheck.awaitNothingOfConnections();
    }

    private static ExternalProcess rstream(String side, int port) {
        return ExternalProcess
                .of(("rstream " + side + " " + HOST + " -p " + port + " -S " + SIZE + " -C " + COUNT + " -I "
                        + ITERATIONS + " -T v").split(" "));
    }

    @Test
    void rstreamCallsAChannelInASelector() throws Exception {
        try (
                Selector selector = provider.openSelector();
                ServerSocketChannel server =
                        provider.openServerSocketChannel().bind(new InetSocketAddress(HOST, 22_011))) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            try (var client = rstream("-s", 22_011).start()) {
                long echoed = 0;
                for (boolean open = true; open;) {
                    assertThat(selector.select(LIMIT.toMillis())).isPositive();
                    for (SelectionKey key : selector.selectedKeys()) {
                        if (key.isAcceptable()) {
                            SocketChannel peer = server.accept();
                            peer.configureBlocking(false);
                            peer.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(4096));
                        } else {
                            long bytes = echo(key);
                            open = bytes >= 0;
                            echoed += Math.max(0, bytes);
                        }
                    }
                    selector.selectedKeys().clear();
                }
                assertThat(echoed).isEqualTo(SYNC + (long) SIZE * COUNT * ITERATIONS);
                client.await(LIMIT).requireSuccess();
            }
        }
    }

    /// @return how many bytes were written; -1 at the end
    private static long echo(SelectionKey key) throws IOException {
        var channel = (SocketChannel) key.channel();
        var buffer = (ByteBuffer) key.attachment();
        if (key.isReadable()) {
            if (channel.read(buffer.clear()) < 0) {
                channel.close();
                return -1;
            }
            buffer.flip();
        }
        int written = channel.write(buffer);
        key.interestOps(buffer.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        return written;
    }

    @Test
    void aChannelCallsRstream() throws Exception {
        try (var server = rstream("-b", 22_012).start()) {
            try (SocketChannel channel = connect(new InetSocketAddress(HOST, 22_012))) {
                byte next = exchange(channel, SYNC, (byte) 0);
                for (int i = 0; i < ITERATIONS; i++) {
                    next = exchange(channel, SIZE * COUNT, next);
                }
            }
            server.await(LIMIT).requireSuccess();
        }
    }

    /// Connects as soon as the server listens.
    private SocketChannel connect(InetSocketAddress address) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            SocketChannel channel = provider.openSocketChannel();
            try {
                channel.connect(address);
                return channel;
            } catch (ConnectException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    /// Sends bytes from a value on, and receives the same.
    ///
    /// @return the value that follows
    private static byte exchange(SocketChannel channel, int bytes, byte first) throws IOException {
        ByteBuffer sent = ByteBuffer.allocate(bytes);
        for (int i = 0; i < bytes; i++) {
            sent.put((byte) (first + i));
        }
        assertThat(channel.write(sent.flip())).isEqualTo(bytes);
        ByteBuffer received = ByteBuffer.allocate(bytes);
        while (received.hasRemaining()) {
            assertThat(channel.read(received)).isPositive();
        }
        assertThat(received.flip()).isEqualTo(sent.flip());
        return (byte) (first + bytes);
    }
}
