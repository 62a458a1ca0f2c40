// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.common.TcpPeers;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/// Carries perftest's exchange over TCP.
final class TcpWire implements PerfWire {
    private final Socket socket;
    /// Timeout for a message of the peer, in milliseconds; 0 for no limit.
    private int timeout;

    private TcpWire(Socket socket, int timeout) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.timeout = timeout;
    }

    /// Connects to the server if there is a host, otherwise waits for a client.
    ///
    /// @param timeout timeout of each message, in milliseconds
    static TcpWire open(@Nullable String host, int port, int timeout) throws IOException {
        return new TcpWire(host == null ? TcpPeers.accept(port) : TcpPeers.connect(host, port), timeout);
    }

    @Override
    public void write(byte[] message) throws IOException {
        socket.getOutputStream().write(message);
    }

    @Override
    public void read(byte[] message) throws IOException {
        TcpPeers.readFully(socket, message, timeout);
    }

    /// Disables the timeout, and enables keepalives. If the peer ends, its kernel closes the connection. If the peer's
    /// machine fails, keepalives detect it after the time in `net.ipv4.tcp_keepalive_time`.
    @Override
    public void allowSilence() throws IOException {
        timeout = 0;
        socket.setSoTimeout(0);
        socket.setKeepAlive(true);
    }

    @Override
    public boolean hasStructs() {
        return false;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
