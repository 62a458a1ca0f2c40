// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.stream.StreamGroup;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Channels whose device is removed, or whose rings get no memory.
@Timeout(60)
class ChannelDeviceTest {
    private static final String DEVICE = "rxe0";
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 22_000);
    private static final int ENOUGH = 16 << 20;
    private static final int MANY = 4 << 20;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private final SimulatedDevice device = host.addDevice(DEVICE);
    private Host.Replacement current;

    @BeforeEach
    void becomeCurrent() {
        current = Host.replaceCurrent(host);
    }

    @AfterEach
    void leavesNothing() {
        Eventually.until(() -> host.identifiers().isEmpty(), () -> "identifiers " + host.identifiers());
        Eventually.until(() -> device.objects().isEmpty(), () -> "objects " + device.objects());
        current.close();
        network.close();
    }

    private static ServerSocketChannel listener(SocketContext context) throws IOException {
        return new RdmaSelectorProvider(context).openServerSocketChannel().bind(ADDRESS);
    }

    /// @param bytes limit of the memory of all rings
    private static SocketContext context(long bytes) {
        return context(StreamGroup.create(bytes));
    }

    private static SocketContext context(StreamGroup group) {
        SocketRules rules = SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *"));
        return new SocketContext(rules, group, new HashMap<>());
    }

    private static SocketChannel connect(SocketContext context, ServerSocketChannel server) throws IOException {
        SocketChannel channel = new RdmaSelectorProvider(context).openSocketChannel();
        channel.connect(server.getLocalAddress());
        return channel;
    }

    /// A call that waits.
    private enum Wait {
        READ("park") {
            @Override
            void in(SocketChannel channel) throws IOException {
                channel.read(ByteBuffer.allocate(1));
            }
        },
        WRITE("park") {
            @Override
            void in(SocketChannel channel) throws IOException {
                channel.write(ByteBuffer.allocate(MANY)); // more than the rings hold
            }
        },
        SELECT("doSelect") {
            @Override
            void in(SocketChannel channel) throws IOException {
                try (Selector selector = channel.provider().openSelector()) {
                    channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
                    assertThat(selector.select(30_000)).isOne();
                    READ.in(channel);
                }
            }
        };

        /// A method in which the thread then is.
        private final String method;

        Wait(String method) {
            this.method = method;
        }

        abstract void in(SocketChannel channel) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void waitsEndWithoutTheDevice(Wait wait) throws Exception {
        SocketContext context = context(ENOUGH);
        try (
                ServerSocketChannel server = listener(context);
                SocketChannel here = connect(context, server);
                SocketChannel there = server.accept()) {
            var waiting = new FutureTask<>(() -> {
                wait.in(here);
                return true;
            });
            Thread thread = Thread.ofPlatform().daemon().start(waiting);
            Eventually.until(
                    () -> Stream.of(thread.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals(wait.method)),
                    () -> thread + " is not in " + wait.method);
            host.removeDevice(DEVICE);
            assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS)).cause().isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> {
                while (there.read(ByteBuffer.allocate(MANY)) > 0) {
                    continue; // bytes that have arrived before
                }
            }).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void acceptsFailIfTheDeviceIsRemovedBefore() throws Exception {
        var group = StreamGroup.create(ENOUGH);
        SocketContext context = context(group);
        try (ServerSocketChannel server = listener(context); SocketChannel _ = connect(context, server)) {
            Eventually.until(() -> ((MixedServerChannel) server).readyOps() != 0, () -> "no connection");
            host.removeDevice(DEVICE);
            Eventually.until(() -> host.identifiers().isEmpty(), () -> "identifiers " + host.identifiers());
            assertThatThrownBy(server::accept).isInstanceOf(IOException.class);
        }
        Eventually.until(() -> group.ringBytes() == 0, () -> group.ringBytes() + " bytes of rings");
    }

    @Test
    void connectsFailWithoutMemoryForRings() throws Exception {
        try (ServerSocketChannel server = listener(context(ENOUGH))) {
            assertThatThrownBy(() -> connect(context(1), server))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessageContaining("0 of 1 bytes are in use by other streams");
        }
        try (ServerSocketChannel server = listener(context(1))) {
            assertThatThrownBy(() -> connect(context(ENOUGH), server))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
        }
    }
}
