// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Messages of a TCP peer that takes its time.
class TcpPeersTest {
    private static final int TIMEOUT = 400;

    /// Runs something with both ends of a connection.
    private interface Ends {
        void use(Socket here, Socket peer) throws IOException, InterruptedException;
    }

    private static void connected(Ends ends) throws IOException, InterruptedException {
        try (
                var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var peer = new Socket(listener.getInetAddress(), listener.getLocalPort());
                var here = listener.accept()) {
            ends.use(here, peer);
        }
    }

    @Test
    void comeInPieces() throws Exception {
        connected((here, peer) -> {
            peer.getOutputStream().write(new byte[]{1, 2});
            peer.getOutputStream().write(3);
            byte[] message = new byte[3];
            TcpPeers.readFully(here, message, TIMEOUT);
            assertThat(message).containsExactly(1, 2, 3);
        });
    }

    @Test
    void haveOneLimitForAllTheirBytes() throws Exception {
        connected((here, peer) -> {
            var stop = new AtomicBoolean();
            var dripping = Thread.ofVirtual().start(() -> drip(peer, stop));
            try {
                assertThatThrownBy(() -> TcpPeers.readFully(here, new byte[10_000], TIMEOUT))
                        .isInstanceOf(SocketTimeoutException.class);
            } finally {
                stop.set(true);
                dripping.join();
            }
        });
    }

    private static void drip(Socket peer, AtomicBoolean stop) {
        try {
            while (!stop.get()) {
                peer.getOutputStream().write(1);
                Thread.sleep(TIMEOUT / 8);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void areNotWaitedForWhenThePeerHasClosed() throws Exception {
        connected((here, peer) -> {
            peer.getOutputStream().write(1);
            peer.close();
            assertThatThrownBy(() -> TcpPeers.readFully(here, new byte[2], 0))
                    .isInstanceOf(EOFException.class)
                    .hasMessage("only 1 of 2 bytes came");
        });
    }
}
