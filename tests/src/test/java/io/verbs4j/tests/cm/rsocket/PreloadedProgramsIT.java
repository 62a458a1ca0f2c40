// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.rsocket.RdmaServerSocket;
import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.cm.rsocket.RdmaSocketOptions;
import io.verbs4j.tests.cm.CmAddress;
import io.verbs4j.tests.cm.CmPrograms;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Programs that know TCP alone, run under librdmacm's preload library, with a Java stream at the other end.
@DeviceTest
class PreloadedProgramsIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String LIBRARY = "/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so";
    private static final RdmaSocketOptions OPTIONS =
            RdmaSocketOptions.defaults().withConnection(ConnectionOptions.defaults().withTimeout(StreamPair.LIMIT));
    private static final int ROUNDS = 200;
    private static final int BYTES = 1000;

    /// The library takes over `socket` and `accept` without flags; Python's own calls have some.
    private static final String SOCKETS = """
        import ctypes, os, socket, sys
        libc = ctypes.CDLL(None)

        def stream(number):
            assert number >= 0
            return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, number)
        """;

    private static final String SERVER = SOCKETS + """
        listening = stream(libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0))
        listening.bind((sys.argv[1], int(sys.argv[2])))
        listening.listen(1)
        peer = stream(libc.accept(listening.fileno(), None, None))
        while data := peer.recv(4096):
            peer.sendall(data)
        peer.close()
        print('end')
        """;
    private static final String CLIENT = SOCKETS + """
        peer = stream(libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0))
        peer.connect((sys.argv[1], int(sys.argv[2])))
        for i in range(200):
            sent = bytes([i]) * 1000
            peer.sendall(sent)
            back = b''
            while len(back) < 1000:
                back += peer.recv(1000 - len(back))
            assert back == sent
        peer.shutdown(socket.SHUT_WR)
        print(peer.recv(1))
        """;
    private static final String DYING_CLIENT =
            CLIENT.replace("peer.shutdown(socket.SHUT_WR)", "os.kill(os.getpid(), 9)");

    private static ExternalProcess python(String program, InetSocketAddress address) {
        return ExternalProcess.of(
                "env", "LD_PRELOAD=" + LIBRARY, "/usr/bin/python3", "-c", program, address.getHostString(),
                Integer.toString(address.getPort()));
    }

    @Test
    void aServerEchoesToJava() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = python(SERVER, address).start()) {
            CmPrograms.awaitListener(Integer.toString(address.getPort()));
            try (RdmaSocket socket = RdmaSocket.connect(address, OPTIONS)) {
                OutputStream output = socket.outputStream();
                InputStream input = socket.inputStream();
                for (int i = 0; i < ROUNDS; i++) {
                    byte[] sent = new byte[BYTES];
                    Arrays.fill(sent, (byte) i);
                    output.write(sent);
                    assertThat(input.readNBytes(BYTES)).isEqualTo(sent);
                }
                socket.shutdownOutput();
                assertThat(input.read()).isEqualTo(-1);
            }
            assertThat(server.await(LIMIT).requireSuccess().output()).isEqualTo("end\n");
        }
    }

    @Test
    void aClientIsEchoedByJava() throws Exception {
        try (RdmaServerSocket listening = RdmaServerSocket.listen(CmAddress.right(), OPTIONS)) {
            var echoing = new FutureTask<>(() -> {
                try (RdmaSocket socket = listening.accept()) {
                    return socket.inputStream().transferTo(socket.outputStream());
                }
            });
            Thread.ofVirtual().start(echoing);
            try (var client = python(CLIENT, listening.localAddress()).start()) {
                assertThat(client.await(LIMIT).requireSuccess().output()).isEqualTo("b''\n");
            }
            assertThat(echoing.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo((long) ROUNDS * BYTES);
        }
    }

    /// The kernel of a program that was killed ends its connection; the stream has bytes that came before.
    @Test
    void aPeerThatIsKilledEndsTheStream() throws Exception {
        try (RdmaServerSocket listening = RdmaServerSocket.listen(CmAddress.right(), OPTIONS)) {
            var accepting = new FutureTask<>(listening::accept);
            Thread.ofVirtual().start(accepting);
            try (
                    var client = python(DYING_CLIENT, listening.localAddress()).start();
                    RdmaSocket socket = accepting.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                byte[] all = new byte[ROUNDS * BYTES];
                for (int i = 0; i < ROUNDS; i++) {
                    assertThat(socket.inputStream().readNBytes(all, i * BYTES, BYTES)).isEqualTo(BYTES);
                    socket.outputStream().write(all, i * BYTES, BYTES);
                }
                assertThat(all[all.length - 1]).isEqualTo((byte) (ROUNDS - 1));
                client.await(LIMIT);
                assertThatThrownBy(() -> socket.inputStream().read())
                        .hasMessageContaining("ECONNRESET")
                        .hasMessageContaining("the peer has gone");
            }
        }
    }
}
