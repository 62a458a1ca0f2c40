// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.support.BindableAddress;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Eight threads exchange random bytes over a wire that loses one packet of a hundred, and compare each byte.
/// Connections end in several ways. The long form (system property `walks.minutes`) takes that many minutes.
@DeviceTest
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Needs.OneKernel
@Needs.LongRun("connections over a wire that loses packets")
class SocketSoakIT {
    private static final String CONNECT_SECONDS = "verbs4j.sockets.connect";
    private static final long NANOS =
            Math.max(TimeUnit.SECONDS.toNanos(3), TimeUnit.MINUTES.toNanos(Long.getLong("walks.minutes", 0)));
    private static final int THREADS = 8;
    private static final int FIRST_PORT = 22_040;
    private static final int LONGEST = 200_000;
    /// Enough bytes to lose some packets even on a slow machine.
    private static final int LEAST_BYTES = 4_000_000;
    private static final int MOST_EXCHANGES = 40;

    private final RdmaSelectorProvider provider =
            new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));
    /// Otherwise, no packet would cross the wire.
    private final BindableAddress source = BindableAddress.ofLeftDevice();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder connections = new LongAdder();

    @BeforeEach
    void haveTimeForLostRequests() {
        System.setProperty(CONNECT_SECONDS, "120");
    }

    @AfterEach
    void leavesNothing() {
        System.clearProperty(CONNECT_SECONDS);
        try (source) {
            LeakCheck.awaitNothingOfConnections();
        }
    }

    @Test
    void eachByteArrivesDespiteLoss() throws Exception {
        long seed = System.nanoTime();
        IO.println("seed " + seed);
        try (
                var wire = ImpairedLink.bothWays("loss 1%");
                var threads = Executors.newFixedThreadPool(THREADS)) {
            long deadline = System.nanoTime() + NANOS;
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int port = FIRST_PORT + i;
                Callable<Void> work = () -> {
                    exchange(port, new Random(seed + port), deadline);
                    return null;
                };
                running.add(threads.submit(work));
            }
            for (Future<?> each : running) {
                each.get();
            }
            long lost = wire.lost(ImpairedLink.Side.LEFT) + wire.lost(ImpairedLink.Side.RIGHT);
            IO.println(bytes + " bytes over " + connections + " connections, " + lost + " packets lost");
            assertThat(bytes.sum()).isPositive();
            assertThat(lost).isPositive();
        }
    }

    private boolean goesOn(long deadline) {
        return System.nanoTime() < deadline || bytes.sum() < LEAST_BYTES;
    }

    private void exchange(int port, Random random, long deadline) throws IOException {
        var address = new InetSocketAddress("10.9.0.2", port);
        try (ServerSocketChannel server = provider.openServerSocketChannel().bind(address)) {
            while (goesOn(deadline)) {
                try (SocketChannel here = provider.openSocketChannel()) {
                    here.bind(new InetSocketAddress(source.address(), 0));
                    here.connect(address);
                    try (SocketChannel there = server.accept()) {
                        connections.increment();
                        for (int left = random.nextInt(MOST_EXCHANGES); left >= 0 && goesOn(deadline);
                                left--) {
                            boolean forth = random.nextBoolean();
                            send(forth ? here : there, forth ? there : here, random);
                        }
                        end(here, there, random.nextInt(3));
                    }
                }
            }
        }
    }

    /// The blocks are shorter than the peer's ring, so that one thread may write and then read.
    private void send(SocketChannel from, SocketChannel to, Random random) throws IOException {
        byte[] sent = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : LONGEST)];
        random.nextBytes(sent);
        int half = random.nextInt(sent.length);
        ByteBuffer[] parts = {ByteBuffer.wrap(sent, 0, half), ByteBuffer.wrap(sent, half, sent.length - half)};
        while (parts[1].hasRemaining()) {
            from.write(parts);
        }
        ByteBuffer received =
                random.nextBoolean() ? ByteBuffer.allocate(sent.length) : ByteBuffer.allocateDirect(sent.length);
        while (received.hasRemaining()) {
            assertThat(to.read(received)).isPositive();
        }
        assertThat(received.flip()).isEqualTo(ByteBuffer.wrap(sent));
        bytes.add(sent.length);
    }

    private static void end(SocketChannel here, SocketChannel there, int way) throws IOException {
        switch (way) {
            case 0 -> here.close();
            case 1 -> here.shutdownOutput();
            default -> {
                here.setOption(StandardSocketOptions.SO_LINGER, 0);
                here.close();
            }
        }
        ByteBuffer more = ByteBuffer.allocate(1);
        if (way < 2) {
            assertThat(there.read(more)).isEqualTo(-1);
        } else {
            assertThatThrownBy(() -> there.read(more)).isInstanceOf(IOException.class); // the connection was reset
        }
    }
}
