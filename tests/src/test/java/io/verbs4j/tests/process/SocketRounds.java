// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Round trips between two socket channels over RDMA, in one thread.
final class SocketRounds implements AutoCloseable {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 22_009);
    private static final int BYTES = 64;

    private final RdmaSelectorProvider provider;
    private final SocketChannel here;
    private final SocketChannel there;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private final byte[] bytes = new byte[BYTES];
    private final Consumer<SelectionKey> answering = this::answer;
    private @Nullable Selector selector;
    private int left;

    private SocketRounds(RdmaSelectorProvider provider, SocketChannel here, SocketChannel there) {
        this.provider = provider;
        this.here = here;
        this.there = there;
    }

    static SocketRounds open() throws IOException {
        var provider = new RdmaSelectorProvider(
                SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));
        try (var server = provider.openServerSocketChannel().bind(ADDRESS)) {
            SocketChannel here = provider.openSocketChannel();
            here.connect(ADDRESS);
            return new SocketRounds(provider, here, server.accept());
        }
    }

    /// Sends by the channels to the other end, and by the streams back.
    void block(int count) {
        try {
            for (int i = 0; i < count; i++) {
                write(here);
                read(there);
                there.socket().getOutputStream().write(bytes);
                if (here.socket().getInputStream().read(bytes) != BYTES) {
                    throw new IllegalStateException("part of a message");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Both channels are registered with one selector from the first call on.
    void select(int count) {
        try {
            Selector used = selector;
            if (used == null) {
                used = provider.openSelector();
                selector = used;
                here.configureBlocking(false).register(used, SelectionKey.OP_READ);
                there.configureBlocking(false).register(used, SelectionKey.OP_READ);
            }
            left = count;
            write(here);
            while (left > 0) {
                used.select(answering);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(SelectionKey key) {
        try {
            var channel = (SocketChannel) key.channel();
            read(channel);
            if (channel == there || --left > 0) {
                write(channel);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(SocketChannel channel) throws IOException {
        if (channel.write(buffer.clear()) != BYTES) {
            throw new IllegalStateException("part of a message");
        }
    }

    private void read(SocketChannel channel) throws IOException {
        if (channel.read(buffer.clear()) != BYTES) {
            throw new IllegalStateException("part of a message");
        }
    }

    @Override
    public void close() throws IOException {
        if (selector != null) {
            selector.close();
        }
        here.close();
        there.close();
    }
}
