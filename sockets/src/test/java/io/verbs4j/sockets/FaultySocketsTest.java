// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.FaultyHost;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each system call on the files of a device and of the connection manager fails once, while a server listens, a client
/// connects, both exchange bytes in a selector, and close. The program gets an `IOException`, or the library
/// compensates for the failure. Nothing is left, and the next sockets work.
@Timeout(120)
class FaultySocketsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 22_100);
    private static final List<Integer> ERRORS =
            List.of(Errno.ENOMEM, Errno.EINVAL, Errno.EPERM, Errno.ENOENT, Errno.EMFILE);

    private static final int FAULT_MILLIS = 1_000;
    /// On a busy machine, steps without a fault may take long.
    private static final int BUSY_MILLIS = 30_000;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private final RdmaSelectorProvider provider =
            new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));

    @BeforeEach
    void addDevice() {
        host.addDevice("rxe0");
    }

    @AfterEach
    void close() {
        network.close();
    }

    /// Runs all steps of sockets with a fault.
    ///
    /// @param patience milliseconds until a step counts as failed
    /// @return whether no step failed
    private boolean talk(FaultyHost fault, int patience) {
        try (
                Host.Replacement _ = Host.replaceCurrent(fault.over(host));
                Selector selector = provider.openSelector();
                ServerSocketChannel server = provider.openServerSocketChannel().bind(ADDRESS);
                SocketChannel here = provider.openSocketChannel()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            here.configureBlocking(false);
            here.connect(ADDRESS);
            here.register(selector, SelectionKey.OP_CONNECT);
            try {
                return exchange(selector, patience);
            } finally {
                for (SelectionKey key : selector.keys()) {
                    key.channel().close();
                }
            }
        } catch (IOException e) {
            return false;
        }
    }

    /// @return false if the client gets no answer
    private static boolean exchange(Selector selector, int patience) throws IOException {
        while (selector.select(patience) > 0) {
            for (SelectionKey key : selector.selectedKeys()) {
                ByteBuffer buffer = ByteBuffer.allocate(10);
                if (key.isAcceptable()) {
                    SocketChannel there = ((ServerSocketChannel) key.channel()).accept();
                    there.configureBlocking(false);
                    there.register(selector, SelectionKey.OP_READ, "server");
                } else if (key.isConnectable()) {
                    ((SocketChannel) key.channel()).finishConnect();
                    ((SocketChannel) key.channel()).write(ByteBuffer.allocate(5));
                    key.interestOps(SelectionKey.OP_READ);
                } else {
                    int bytes = ((SocketChannel) key.channel()).read(buffer);
                    if (key.attachment() == null) {
                        key.channel().close();
                        return bytes == 5;
                    }
                    if (bytes > 0) {
                        ((SocketChannel) key.channel()).write(buffer.flip());
                    }
                    key.channel().close();
                }
            }
            selector.selectedKeys().clear();
        }
        return false;
    }

    private void requireNothingLeft(Object after) {
        Eventually.until(
                () -> host.identifiers().isEmpty() && objects().isEmpty(),
                () -> "after " + after + ": " + host.identifiers() + objects());
    }

    private List<String> objects() {
        return List.copyOf(host.find("rxe0").orElseThrow().objects());
    }

    private static FaultyHost fault(int call) {
        return new FaultyHost((number, _) -> number == call, ERRORS.get(call % ERRORS.size()));
    }

    @Test
    void outliveEachFailedCall() {
        FaultyHost none = fault(0);
        assertThat(talk(none, BUSY_MILLIS)).isTrue();
        int failed = 0;
        for (int call = 1; call <= none.calls(); call++) {
            FaultyHost fault = fault(call);
            failed += talk(fault, FAULT_MILLIS) ? 0 : 1;
            fault.stop();
            requireNothingLeft(fault);
            assertThat(talk(fault(0), BUSY_MILLIS)).as("after %s", fault).isTrue();
            requireNothingLeft("no fault");
        }
        assertThat(failed).isBetween(none.calls() / 4, none.calls() - 10);
    }
}
