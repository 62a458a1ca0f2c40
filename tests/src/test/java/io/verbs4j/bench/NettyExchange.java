// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// An exchange of a client with a server, both with Netty.
///
/// @param begin called with the client's channel
/// @param atClient called with the bytes that arrive at the client
/// @param done completed at the end of the exchange
record NettyExchange(Consumer<Channel> begin, BiConsumer<Channel, ByteBuf> atClient, CompletableFuture<?> done) {
    private static final int CHUNK = 1 << 16;
    private static final int CHUNKS = 100;
    /// Number of bytes after which a [#sink()] sends one byte.
    static final long STREAM = (long) CHUNKS * CHUNK;

    private static final Map<SelectorProvider, MultiThreadIoEventLoopGroup> LOOPS = new HashMap<>();

    @ChannelHandler.Sharable
    private static final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        private final BiConsumer<Channel, ByteBuf> action;

        Handler(BiConsumer<Channel, ByteBuf> action) {
            super(false);
            this.action = action;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            action.accept(context.channel(), bytes);
        }
    }

    /// Ping-pong: client and server return one message to each other.
    static NettyExchange pingPong(int bytes, int count) {
        var left = new AtomicLong((long) bytes * count);
        var done = new CompletableFuture<Void>();
        return new NettyExchange(channel -> channel.writeAndFlush(zeros(bytes)), (channel, received) -> {
            if (left.addAndGet(-received.readableBytes()) > 0) {
                channel.writeAndFlush(received);
            } else {
                received.release();
                done.complete(null);
            }
        }, done);
    }

    /// Writes of 64 KiB to a [#sink()].
    ///
    /// @param factor multiple of [#STREAM]
    static NettyExchange stream(int factor) {
        var left = new AtomicLong(factor);
        var done = new CompletableFuture<Void>();
        ByteBuf chunk = zeros(CHUNK);
        return new NettyExchange(channel -> write(channel, chunk, factor * CHUNKS), (_, received) -> {
            if (left.addAndGet(-received.readableBytes()) == 0) {
                done.complete(null);
            }
            received.release();
        }, done);
    }

    private static ByteBuf zeros(int bytes) {
        return Unpooled.directBuffer(bytes).writeZero(bytes);
    }

    private static void write(Channel channel, ByteBuf chunk, int count) {
        if (count > 0) {
            channel.writeAndFlush(chunk.retainedDuplicate()).addListener(_ -> write(channel, chunk, count - 1));
        } else {
            chunk.release();
        }
    }

    /// Returns an action for a server that sends one byte for each [#STREAM] bytes.
    static BiConsumer<Channel, ByteBuf> sink() {
        var total = new AtomicLong();
        return (channel, received) -> {
            int bytes = received.readableBytes();
            received.release();
            long before = total.getAndAdd(bytes);
            int confirmed = (int) ((before + bytes) / STREAM - before / STREAM);
            if (confirmed > 0) {
                channel.writeAndFlush(zeros(confirmed));
            }
        };
    }

    /// @param action called with the bytes that arrive
    static void serve(SelectorProvider provider, InetSocketAddress address, BiConsumer<Channel, ByteBuf> action)
            throws InterruptedException {
        new ServerBootstrap()
                .group(loop(provider))
                .channelFactory(() -> new NioServerSocketChannel(provider))
                .childHandler(new Handler(action))
                .bind(address)
                .sync();
    }

    /// Connects, and then runs the exchange once.
    ///
    /// @return nanoseconds of the exchange, without connecting
    long run(SelectorProvider provider, InetSocketAddress address) throws Exception {
        Channel channel = new Bootstrap()
                .group(loop(provider))
                .channelFactory(() -> new NioSocketChannel(provider))
                .handler(new Handler(atClient))
                .connect(address)
                .sync()
                .channel();
        long start = System.nanoTime();
        channel.eventLoop().execute(() -> begin.accept(channel));
        done.get(10, TimeUnit.MINUTES);
        long nanos = System.nanoTime() - start;
        channel.close().sync();
        return nanos;
    }

    private static MultiThreadIoEventLoopGroup loop(SelectorProvider provider) {
        return LOOPS.computeIfAbsent(
                provider, _ -> new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory(provider)));
    }
}
