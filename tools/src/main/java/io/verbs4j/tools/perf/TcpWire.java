// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.common.TcpPeers;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Carries perftest's exchange over TCP.
final class TcpWire implements PerfWire {
    private final Socket socket;

    /// Enables keepalives. If the peer ends, its kernel closes the connection. If the peer's machine fails, keepalives
    /// detect it after the time in `net.ipv4.tcp_keepalive_time`.
    private TcpWire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
    }

    /// Connects to the server if there is a host, otherwise waits for a client.
    static TcpWire open(@Nullable String host, int port) throws IOException {
        return new TcpWire(host == null ? TcpPeers.accept(port) : TcpPeers.connect(host, port));
    }

    /// Ignores the timeout, because the socket's buffer has room for all messages.
    @Override
    public void write(byte[] message, int timeout) throws IOException {
        socket.getOutputStream().write(message);
    }

    @Override
    public void read(ByteBuffer message, int timeout) throws IOException {
        TcpPeers.readFully(socket, message, timeout);
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
