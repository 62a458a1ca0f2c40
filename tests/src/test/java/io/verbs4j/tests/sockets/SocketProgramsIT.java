// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.RdmaServerSocketFactory;
import io.verbs4j.sockets.SocketReport;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.cm.CmPrograms;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Programs that know nothing of RDMA, over channels that are RDMA or fail.
@DeviceTest
@Needs.OneKernel
class SocketProgramsIT {
    private static final int CONNECTIONS = 4;
    private static final int PIECE = 10_000;
    private static final InetSocketAddress NETTY = new InetSocketAddress("10.9.0.2", 22_001);
    private static final InetSocketAddress ECHO = new InetSocketAddress("10.9.0.2", 22_002);

    private final RdmaSelectorProvider provider =
            new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }

    /// Compares what comes back.
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

    /// Channels end in the background.
    @AfterEach
    void leavesNothing() {
        LeakCheck.awaitNothingOfConnections();
    }

    @Test
    void nettyEchoes() throws Exception {
        byte[] content = new byte[60 * PIECE];
        new Random(2).nextBytes(content);
        long before = SocketReport.now().rdmaAccepts();
        var group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory(provider));
        try {
            var server = new ServerBootstrap()
                    .group(group)
                    .channelFactory(() -> new NioServerSocketChannel(provider))
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            channel.pipeline().addLast(new Echo());
                        }
                    })
                    .bind(NETTY)
                    .sync()
                    .channel();
            var done = new CountDownLatch(CONNECTIONS);
            for (int i = 0; i < CONNECTIONS; i++) {
                var client = new Bootstrap()
                        .group(group)
                        .channelFactory(() -> new NioSocketChannel(provider))
                        .handler(new Check(content, done))
                        .connect(NETTY)
                        .sync()
                        .channel();
                for (int at = 0; at < content.length; at += PIECE) {
                    client.write(Unpooled.wrappedBuffer(content, at, PIECE));
                }
                client.flush();
            }
            assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
            assertThat(SocketReport.now().rdmaAccepts() - before).isEqualTo(CONNECTIONS);
            server.close().sync();
        } finally {
            // Without a quiet period Netty 4.2 may end before it has closed the channels.
            group.shutdownGracefully(100, 5_000, TimeUnit.MILLISECONDS).sync();
        }
    }

    @Test
    @RealKernel("programs in C")
    void pythonOverCsLibraryCallsAServerSocket() throws Exception {
        try (ServerSocket server = new RdmaServerSocketFactory(provider).createServerSocket()) {
            server.bind(ECHO);
            try (var client = CmPrograms.pythonCall(ECHO).start(); Socket socket = server.accept()) {
                assertThat(socket.getInputStream().transferTo(socket.getOutputStream())).isEqualTo(50_000);
                assertThat(client.await(Duration.ofMinutes(2)).requireSuccess().output()).isEqualTo("echoed\n");
            }
        }
    }
}
