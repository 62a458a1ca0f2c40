// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs programs that are unaware of RDMA.
@Timeout(120)
class ProgramsTest {
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }

    /// Compares the received bytes with the sent bytes.
    private static final class Check extends SimpleChannelInboundHandler<ByteBuf> {
        private final ByteBuf expected;
        private final CountDownLatch done;

        Check(byte[] expected, CountDownLatch done) {
            this.expected = Unpooled.wrappedBuffer(expected);
            this.done = done;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            ByteBuf want = expected.readSlice(message.readableBytes());
            if (want.equals(message) && !expected.isReadable()) {
                done.countDown();
            }
        }
    }

    @Test
    void nettyEchoes() throws Exception {
        byte[] content = new byte[1_000_000];
        new Random(2).nextBytes(content);
        InetSocketAddress address = Places.RDMA.address();
        long before = SocketReport.now().rdmaAccepts();
        var group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        try {
            var server = new ServerBootstrap()
                    .group(group)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            channel.pipeline().addLast(new Echo());
                        }
                    })
                    .bind(address)
                    .sync()
                    .channel();
            var done = new CountDownLatch(4);
            for (int i = 0; i < 4; i++) {
                var client = new Bootstrap()
                        .group(group)
                        .channel(NioSocketChannel.class)
                        .handler(new Check(content, done))
                        .connect(address)
                        .sync()
                        .channel();
                for (int at = 0; at < content.length; at += 10_000) {
                    client.write(Unpooled.wrappedBuffer(content, at, 10_000));
                }
                client.flush();
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(SocketReport.now().rdmaAccepts() - before).isEqualTo(4);
            server.close().sync();
        } finally {
            // Without a quiet period, Netty 4.2 may end before it has closed the channels.
            group.shutdownGracefully(100, 5_000, TimeUnit.MILLISECONDS).sync();
        }
    }

    @Test
    void theJdksServerAndClientSpeakHttp() throws Exception {
        InetSocketAddress address = Places.RDMA.address();
        long before = SocketReport.now().rdmaAccepts();
        HttpServer server = HttpServer.create(address, 0);
        HttpEcho.start(server);
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://10.9.0.2:" + address.getPort() + "/");
            for (int size : new int[]{1, 1000, 300_000}) {
                byte[] body = new byte[size];
                new Random(size).nextBytes(body);
                var response = client.send(
                        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(),
                        BodyHandlers.ofByteArray());
                assertThat(response.body()).isEqualTo(body);
            }
        } finally {
            server.stop(0);
        }
        assertThat(SocketReport.now().rdmaAccepts()).isGreaterThan(before);
    }
}
