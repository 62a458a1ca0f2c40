// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbs4j.abi.failure.Privileges;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Datagrams on the loopback interface; needs `CAP_NET_RAW`.
@Timeout(20)
class PacketSocketTest {
    private static final long LATE = TimeUnit.SECONDS.toNanos(10);
    /// Bytes of the Ethernet, IP and UDP headers.
    private static final int HEADERS = 14 + 20 + 8;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(256, 8);
    private final DatagramSocket receiver;
    private final DatagramSocket other;

    PacketSocketTest() throws IOException {
        receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        other = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    }

    @BeforeEach
    void requirePermission() throws IOException {
        try {
            open().close();
        } catch (VerbsException e) {
            assumeFalse(e.errno() == Errno.EPERM, "packet sockets need CAP_NET_RAW");
            throw e;
        }
    }

    @AfterEach
    void close() {
        receiver.close();
        other.close();
        arena.close();
    }

    private PacketSocket open() throws IOException {
        return PacketSocket.open(NetworkInterface.getByName("lo").getIndex(), receiver.getLocalPort());
    }

    private void send(DatagramSocket to, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        other.send(new DatagramPacket(bytes, bytes.length, to.getLocalSocketAddress()));
    }

    private String receive(PacketSocket socket) {
        int length = socket.receive(buffer);
        assertThat(length).isGreaterThan(HEADERS);
        return new String(
                buffer.asSlice(HEADERS, length - HEADERS).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
    }

    /// The loopback interface both sends and receives each frame.
    @Test
    void returnsTheDatagramsToItsPort() throws IOException {
        PacketSocket socket = open();
        try (socket) {
            assertThat(socket.receive(buffer)).isEqualTo(-Errno.EAGAIN);
            assertThat(socket.await(0)).isZero();
            send(other, "to another port");
            send(receiver, "one");
            send(receiver, "another");
            assertThat(socket.await(LATE)).isEqualTo(1);
            assertThat(receive(socket)).isEqualTo("one");
            assertThat(receive(socket)).isEqualTo("one");
            assertThat(receive(socket)).isEqualTo("another");
            assertThat(receive(socket)).isEqualTo("another");
            assertThat(socket.receive(buffer)).isEqualTo(-Errno.EAGAIN);
            assertThat(socket.takeLost()).isZero();
        }
        assertThat(socket.receive(buffer)).isEqualTo(-Errno.EBADF);
    }

    /// With `CAP_NET_ADMIN`, the buffer exceeds the system's usual limit of 208 KiB. The frames that it cannot hold are
    /// counted.
    @Test
    void countsLostFrames() throws IOException {
        try (PacketSocket socket = open()) {
            String large = "x".repeat(50_000);
            int sent = 0;
            int lost = 0;
            while (lost == 0 && sent < 4000) {
                send(receiver, large);
                sent++;
                lost = socket.takeLost();
            }
            boolean enlarged = Privileges.parse(Files.readString(Path.of("/proc/self/status")), "")
                    .hasOverMachine(Privileges.Capability.CAP_NET_ADMIN);
            assertThat(sent).as("frames before the first loss").isBetween(enlarged ? 100 : 1, 2000);
            assertThat(socket.takeLost()).isZero();
        }
    }

    @Test
    void aMissingInterfaceIsReported() {
        assertThatThrownBy(() -> PacketSocket.open(Integer.MAX_VALUE, 4791))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
    }

    @Test
    void aWaitEndsWhenItIsWoken() throws Exception {
        try (PacketSocket socket = open()) {
            int[] result = new int[1];
            Thread waiting = Thread.ofPlatform().start(() -> result[0] = socket.await(-1));
            while (waiting.isAlive()) {
                socket.wake();
                waiting.join(1);
            }
            assertThat(result[0]).isEqualTo(-Errno.EINTR);
        }
    }
}
