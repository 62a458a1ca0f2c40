// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A blocking write over TCP writes all bytes, even if the kernel's buffers are too small.
@Timeout(60)
class WholeWritesTest {
    private static final int MANY = 8 << 20;
    private static final int KERNEL_BYTES = 10_000;

    private static SocketChannel connect(String rule, ServerSocketChannel server) throws IOException {
        SocketChannel channel =
                new RdmaSelectorProvider(SocketRules.parse("test", List.of(rule))).openSocketChannel();
        channel.setOption(StandardSocketOptions.SO_SNDBUF, KERNEL_BYTES);
        channel.connect(server.getLocalAddress());
        assertThat(channel.toString()).endsWith("over TCP");
        return channel;
    }

    private static ServerSocketChannel listener() throws IOException {
        return JdkProvider.get()
                .openServerSocketChannel()
                .setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BYTES)
                .bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private static void awaitAll(SocketChannel peer) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(MANY);
        while (all.hasRemaining() && peer.read(all) >= 0) {
            continue;
        }
        assertThat(all.position()).isEqualTo(MANY);
    }

    @Test
    @SuppressWarnings("try") // closes within the statement
    void aVirtualThreadWritesAllBytesOfAStream() throws Exception {
        try (
                ServerSocketChannel server = listener();
                SocketChannel here = connect("tcp connect * *", server);
                SocketChannel there = server.accept()) {
            var writing = new FutureTask<Void>(() -> {
                here.socket().getOutputStream().write(new byte[MANY]);
                here.close();
                return null;
            });
            Thread.startVirtualThread(writing);
            awaitAll(there);
            writing.get(20, TimeUnit.SECONDS);
        }
    }

    /// The connection falls back to TCP. The thread that connects must not make the channel non-blocking.
    @Test
    @SuppressWarnings("try") // closes within the statement
    void aBlockingChannelThatFellBackWritesAllBytes() throws Exception {
        try (
                ServerSocketChannel server = listener();
                SocketChannel here = connect("rdma-or-tcp connect 127.0.0.1 *", server);
                SocketChannel there = server.accept()) {
            var writing = new FutureTask<>(() -> {
                int written = here.write(ByteBuffer.allocate(MANY));
                here.close();
                return written;
            });
            Thread.ofPlatform().daemon().start(writing);
            awaitAll(there);
            assertThat(writing.get(20, TimeUnit.SECONDS)).isEqualTo(MANY);
        }
    }
}
