// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.simulator.junit.SimulatedRdma;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests what a socket of the JDK does not call or rules out before, and each error of a socket.
@SimulatedRdma
@Timeout(60)
class ValkeySocketImplTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 6379);
    private static final int BUFFER = 1 << 16;
    private static final ValkeyOptions OPTIONS = ValkeyOptions.defaults().withBuffers(BUFFER, BUFFER);

    private final ValkeySocketImpl socket = new ValkeySocketImpl(OPTIONS);

    @Test
    void refusesWhatAConnectionLacks() throws IOException {
        socket.create(true);
        String listens = "a socket to Valkey over RDMA does not listen";
        for (Map.Entry<String, ThrowingCallable> refused : Map.<String, ThrowingCallable>of(
                "datagram sockets are not supported", () -> socket.create(false),
                "a socket to Valkey over RDMA is bound when it connects",
                () -> socket.bind(InetAddress.getLoopbackAddress(), 1),
                listens, () -> socket.listen(1),
                "there is no urgent data over RDMA", () -> socket.sendUrgentData(1),
                "option 4711 is not supported", () -> socket.setOption(4711, 1),
                "option 4712 is not supported", () -> socket.getOption(4712),
                "Socket is not connected", socket::available).entrySet()) {
            assertThatThrownBy(refused.getValue()).isExactlyInstanceOf(SocketException.class)
                    .hasMessage(refused.getKey());
        }
        assertThatThrownBy(() -> socket.accept(socket)).isExactlyInstanceOf(SocketException.class).hasMessage(listens);
        assertThatThrownBy(() -> socket.connect(new SocketAddress() {
            @Override
            public String toString() {
                return "elsewhere";
            }
        }, 0)).isInstanceOf(IllegalArgumentException.class).hasMessage("not an IP address: elsewhere");
        assertThatThrownBy(() -> socket.connect(InetSocketAddress.createUnresolved("some.host", 1), 0))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("some.host");
        assertThat(socket.getFileDescriptor()).isNull();
        assertThat(socket.getOption(SocketOptions.SO_BINDADDR)).isEqualTo(new InetSocketAddress(0).getAddress());
        socket.setOption(SocketOptions.SO_TIMEOUT, 25);
        assertThat(socket.getOption(SocketOptions.SO_TIMEOUT)).isEqualTo(25);
        socket.close();
    }

    @Test
    void connectsByNameOrAddress() throws IOException {
        try (var _ = new ToyServer(ADDRESS, BUFFER)) {
            var byAddress = new ValkeySocketImpl(OPTIONS);
            byAddress.connect(ADDRESS.getAddress(), ADDRESS.getPort());
            socket.connect(ADDRESS.getHostString(), ADDRESS.getPort());
            for (ValkeySocketImpl connected : new ValkeySocketImpl[]{byAddress, socket}) {
                assertThat(connected.getOption(SocketOptions.SO_BINDADDR))
                        .isEqualTo(InetAddress.getByName("10.9.0.1"));
                OutputStream out = connected.getOutputStream();
                InputStream in = connected.getInputStream();
                for (byte one : Resp.command("PING")) {
                    out.write(one);
                }
                assertThat(in.read()).isEqualTo('+');
                assertThat(in.read(new byte[4], 4, 0)).isZero();
                for (int available = in.available(); available < 6; available = in.available()) {
                    assertThat(available).isBetween(0, 6);
                }
                byte[] target = new byte[9];
                assertThat(in.read(target, 2, 7)).isEqualTo(6);
                assertThat(Resp.text(target)).isEqualTo("\0\0PONG\r\n\0");
                assertThatThrownBy(() -> in.read(target, 3, 7)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> out.write(target, 9, 1)).isInstanceOf(IndexOutOfBoundsException.class);
                connected.shutdownOutput();
                assertThatThrownBy(() -> out.write(1)).hasMessage("Socket output is shutdown");
                connected.close();
            }
        }
    }

    @Test
    void returnsEachByteAsANumberOfEightBits() throws IOException {
        byte[] bytes = {0, 127, -128, -1};
        try (var _ = new ToyServer(ADDRESS, BUFFER, session -> session.send(bytes))) {
            socket.connect(ADDRESS, 0);
            InputStream in = socket.getInputStream();
            assertThat(new int[]{in.read(), in.read(), in.read(), in.read()}).containsExactly(0, 127, 128, 255);
            socket.close();
        }
    }

    /// A program may close a socket in another thread while it connects.
    @Test
    void closesTheConnectionOfASocketThatIsClosedMeanwhile() throws Exception {
        try (var server = new ToyServer(ADDRESS, BUFFER)) {
            socket.close();
            assertThatThrownBy(() -> socket.connect(ADDRESS, 0)).isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Socket closed");
            assertThat(server.clientAnnouncements.get()).isOne();
        } // the simulated network finds a connection that stays open
        assertThatThrownBy(() -> socket.getInputStream().read()).hasMessage("Socket closed");
    }

    @Test
    void timesOutIfNobodyAccepts() {
        try (var _ = RdmaServer.listen(ADDRESS, ConnectionOptions.defaults())) {
            assertThatThrownBy(() -> socket.connect(ADDRESS, 100)).isExactlyInstanceOf(SocketTimeoutException.class)
                    .hasCauseInstanceOf(VerbsException.class)
                    .hasMessageContaining("ETIMEDOUT");
        }
    }

    private static void assertInterrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(call).isExactlyInstanceOf(InterruptedIOException.class)
                    .hasMessage("interrupted while waiting for the Valkey server")
                    .hasCauseInstanceOf(InterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        }
    }

    @Test
    void anInterruptEndsEachWait() throws IOException {
        try (var _ = RdmaServer.listen(ADDRESS, ConnectionOptions.defaults())) {
            assertInterrupted(() -> socket.connect(ADDRESS, 0));
        }
        try (var _ = new ToyServer(ADDRESS, BUFFER, _ -> Thread.sleep(60_000))) {
            socket.connect(ADDRESS, 0);
            assertInterrupted(() -> socket.getInputStream().read());
            assertInterrupted(() -> socket.getOutputStream().write(new byte[3 * BUFFER]));
            socket.close();
        }
    }

    @Test
    void aFactoryReportsAnErrorInPlaceOfASocket() {
        assertThatThrownBy(() -> {
            try (Socket created = ValkeySocketFactory.of(OPTIONS).createSocket("10.9.0.2", 6379)) {
                assertThat(created.isConnected()).as("nobody listens").isFalse();
            }
        }).isInstanceOf(ConnectException.class).hasMessageContaining("has no listener");
        assertThatThrownBy(() -> ValkeySocketFactory.of(OPTIONS).createSocket(ADDRESS.getAddress(), 1, null, 2))
                .hasMessage("a socket to Valkey over RDMA cannot choose its local address");
    }
}
