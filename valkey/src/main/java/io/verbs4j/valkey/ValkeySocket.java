// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/// A socket that connects to a Valkey server over RDMA. A socket with a destination connects at its first read or
/// write.
final class ValkeySocket extends Socket {
    private final @Nullable InetSocketAddress destination;

    /// @param destination the server to connect to on first use; null for a socket that the program connects
    ValkeySocket(ValkeyOptions options, @Nullable InetSocketAddress destination) throws SocketException {
        super(new ValkeySocketImpl(options));
        this.destination = destination;
    }

    private void connectIfNeeded() throws IOException {
        InetSocketAddress to = destination;
        if (to != null && !isConnected() && !isClosed()) {
            connect(to.isUnresolved() ? new InetSocketAddress(to.getHostString(), to.getPort()) : to);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        connectIfNeeded();
        return super.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        connectIfNeeded();
        return super.getOutputStream();
    }
}
