// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/// Creates listening sockets that serve RDMA, TCP, or both on one port, according to the [rules][SocketRules].
public final class RdmaServerSocketFactory extends ServerSocketFactory {
    private final RdmaSelectorProvider provider;

    /// Creates a factory with the rules of [RdmaSelectorProvider#RdmaSelectorProvider()].
    public RdmaServerSocketFactory() {
        this(new RdmaSelectorProvider());
    }

    /// Creates a factory with the rules of a provider.
    public RdmaServerSocketFactory(RdmaSelectorProvider provider) {
        this.provider = provider;
    }

    @Override
    public ServerSocket createServerSocket() {
        return new MixedServerChannel(provider, null).socket().withoutChannel();
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return createServerSocket(port, 0);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
        return createServerSocket(port, backlog, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address) throws IOException {
        ServerSocket socket = createServerSocket();
        try {
            socket.bind(new InetSocketAddress(address, port), backlog);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
