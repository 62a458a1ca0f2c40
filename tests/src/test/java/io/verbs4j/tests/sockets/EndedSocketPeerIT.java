// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Channels whose peer is killed (SIGKILL), at each stage of a connection and in either role.
@DeviceTest
@RealKernel("processes on one machine")
@Needs.OneKernel
class EndedSocketPeerIT {
    static final SocketRules RULES = SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *"));
    static final InetSocketAddress OURS = new InetSocketAddress("10.9.0.2", 22_021);
    static final InetSocketAddress PEERS = new InetSocketAddress("10.9.0.2", 22_022);
    /// Where the peer never answers a request to connect.
    static final InetSocketAddress SILENT = new InetSocketAddress("10.9.0.2", 22_023);
    static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String TEXT = "still here";

    private final RdmaSelectorProvider provider = new RdmaSelectorProvider(RULES);

    static ByteBuffer bytes() {
        return StandardCharsets.UTF_8.encode(TEXT);
    }

    /// Channels end in the background.
    @AfterEach
    void leavesNothing() {
        LeakCheck.awaitNothingOfConnections();
    }

    private SocketChannel connect(InetSocketAddress address) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        try {
            channel.connect(address);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Reads until the stream ends or fails; returns the bytes, and how they ended.
    private static String read(SocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        String end = "end";
        try {
            while (channel.read(buffer) >= 0) {
                assertThat(buffer.hasRemaining()).isTrue();
            }
        } catch (IOException e) {
            end = e.getMessage();
        }
        return StandardCharsets.UTF_8.decode(buffer.flip()) + ", " + end;
    }

    /// Writes until the stream fails. The peer reads nothing, so that the writer waits for room.
    private static String write(SocketChannel channel) {
        try {
            while (true) {
                channel.write(ByteBuffer.allocate(100_000));
            }
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private static String result(Future<String> future) throws Exception {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    @Needs.LongRun("a program for each stage and role")
    void saysSoAtEachStage() throws Exception {
        try (
                ExecutorService threads = Executors.newCachedThreadPool();
                Selector selector = provider.openSelector();
                ServerSocketChannel server = provider.openServerSocketChannel().bind(OURS);
                var peer = ExternalProcess.of(JavaProcess.command(EndedSocketPeerProbe.class)).start();
                SocketChannel reader = server.accept();
                SocketChannel writer = server.accept();
                SocketChannel selected = server.accept()) {
            peer.awaitOutput("listening");
            try (SocketChannel halfClosed = connect(PEERS)) {
                peer.awaitOutput("accepted");
                assertThat(read(halfClosed)).isEqualTo(TEXT + ", end");
                try (SocketChannel waiting = connect(PEERS)) {
                    Future<String> reading = threads.submit(() -> read(reader));
                    Future<String> writing = threads.submit(() -> write(writer));
                    Future<String> connecting = threads.submit(() -> {
                        try (SocketChannel channel = connect(SILENT)) {
                            return channel.toString();
                        } catch (ConnectException e) {
                            return e.getMessage();
                        }
                    });
                    assertThat(selected.read(ByteBuffer.allocate(64))).isEqualTo(TEXT.length());
                    selected.configureBlocking(false);
                    selected.register(selector, SelectionKey.OP_READ);
                    assertThat(selector.selectNow()).isZero();
                    peer.awaitOutput("at all stages");

                    peer.signal("KILL");

                    assertThat(result(reading)).isEqualTo(TEXT + ", Connection reset");
                    assertThat(result(writing)).isEqualTo("Broken pipe");
                    assertThat(result(connecting)).isEqualTo("Connection refused");
                    assertThat(selector.select(LIMIT.toMillis())).isOne();
                    assertThatThrownBy(() -> selected.read(bytes())).hasMessage("Connection reset");
                    assertThat(write(halfClosed)).isEqualTo("Broken pipe");
                    assertThat(read(waiting)).isEqualTo(", Connection reset");
                    try (SocketChannel accepted = server.accept()) {
                        assertThat(read(accepted)).isEqualTo(TEXT + ", Connection reset");
                    }
                    assertThatThrownBy(() -> connect(PEERS)).hasMessage("Connection refused");
                }
            }
        }
    }
}
