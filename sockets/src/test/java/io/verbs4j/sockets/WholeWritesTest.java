// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.InThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A blocking write over TCP writes all bytes, even if the kernel's buffers are too small.
@Timeout(60)
class WholeWritesTest {
    private static final int MANY = 8 << 20;
    private static final int KERNEL_BYTES = 10_000;

    /// Writes to a channel, and returns the number of bytes.
    @FunctionalInterface
    private interface Writing {
        int write(SocketChannel channel) throws IOException;
    }

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

    /// Writes in another thread while this one reads all bytes.
    @SuppressWarnings("try") // closes within the statement
    private static void transfer(String rule, InThread kind, Writing writing) throws Exception {
        try (
                ServerSocketChannel server = listener();
                SocketChannel here = connect(rule, server);
                SocketChannel there = server.accept()) {
            var written = kind.start(() -> {
                int count = writing.write(here);
                here.close();
                return count;
            });
            ByteBuffer all = ByteBuffer.allocate(MANY);
            while (all.hasRemaining() && there.read(all) >= 0) {
                continue;
            }
            assertThat(all.position()).isEqualTo(MANY);
            assertThat(written.result()).isEqualTo(MANY);
        }
    }

    @Test
    void aVirtualThreadWritesAllBytesOfAStream() throws Exception {
        transfer("tcp connect * *", InThread.VIRTUAL, channel -> {
            channel.socket().getOutputStream().write(new byte[MANY]);
            return MANY;
        });
    }

    /// The connection falls back to TCP. The thread that connects must not make the channel non-blocking.
    @Test
    void aBlockingChannelThatFellBackWritesAllBytes() throws Exception {
        transfer(
                "rdma-or-tcp connect 127.0.0.1 *", InThread.PLATFORM,
                channel -> channel.write(ByteBuffer.allocate(MANY)));
    }
}
