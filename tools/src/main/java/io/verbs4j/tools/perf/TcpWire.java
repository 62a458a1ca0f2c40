// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.TcpPeers;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/// perftest's conversation over TCP.
final class TcpWire implements PerfWire {
    private final Socket socket;
    /// Milliseconds that a message of the peer's may take; 0 for no limit.
    private int patience;

    private TcpWire(Socket socket, int patience) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.patience = patience;
    }

    /// Connects to the server if there is a host, else waits for a client.
    ///
    /// @param patience milliseconds
    static TcpWire open(@Nullable String host, int port, int patience) throws IOException {
        return new TcpWire(host == null ? TcpPeers.accept(port) : TcpPeers.connect(host, port), patience);
    }

    @Override
    public void write(byte[] message) throws IOException {
        socket.getOutputStream().write(message);
    }

    @Override
    public void read(byte[] message) throws IOException {
        TcpPeers.readFully(socket, message, patience);
    }

    /// If the peer ends, its kernel says so; if its machine is gone, ours finds out by asking after a time that
    /// `net.ipv4.tcp_keepalive_time` says.
    @Override
    public void allowSilence() throws IOException {
        patience = 0;
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
