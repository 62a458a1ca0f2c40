// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A socket that connects to a Valkey server over RDMA. A socket with a destination connects at its first read or
/// write.
final class ValkeySocket extends Socket {
    private final @Nullable InetSocketAddress destination;
    /// Held while the socket connects, so that concurrent users connect once. The JDK's method takes no lock.
    private final ReentrantLock connecting = new ReentrantLock();

    /// @param destination the server to connect to on first use; null for a socket that the program connects
    ValkeySocket(ValkeyOptions options, @Nullable InetSocketAddress destination) throws SocketException {
        super(new ValkeySocketImpl(options));
        this.destination = destination;
    }

    private void connectIfNeeded() throws IOException {
        InetSocketAddress to = destination;
        if (to == null || isConnected()) {
            return;
        }
        connecting.lock();
        try {
            if (!isConnected() && !isClosed()) {
                connect(to.isUnresolved() ? new InetSocketAddress(to.getHostString(), to.getPort()) : to);
            }
        } finally {
            connecting.unlock();
        }
    }

    @Override
    public void connect(SocketAddress server, int timeoutMillis) throws IOException {
        connecting.lock();
        try {
            super.connect(server, timeoutMillis);
        } finally {
            connecting.unlock();
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
