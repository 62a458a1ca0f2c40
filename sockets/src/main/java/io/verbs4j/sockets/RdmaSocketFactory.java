// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/// Creates sockets that use RDMA if the [rules][SocketRules] permit RDMA and the peer is reachable over RDMA, otherwise
/// TCP. The factory is meant for JDBC drivers, Redis clients and other programs that accept a socket factory.
public final class RdmaSocketFactory extends SocketFactory {
    private final RdmaSelectorProvider provider;

    /// Creates a factory with the rules of [RdmaSelectorProvider#RdmaSelectorProvider()].
    public RdmaSocketFactory() {
        this(new RdmaSelectorProvider());
    }

    /// Creates a factory with the rules of [RdmaSelectorProvider#RdmaSelectorProvider()], for programs that create
    /// socket factories with one argument.
    ///
    /// @param ignored ignored
    public RdmaSocketFactory(String ignored) {
        this();
    }

    /// Creates a factory with the rules of a provider.
    public RdmaSocketFactory(RdmaSelectorProvider provider) {
        this.provider = provider;
    }

    @Override
    public Socket createSocket() {
        return new MixedChannel(provider, null).socket().withoutChannel();
    }

    private Socket connected(SocketAddress remote, @Nullable SocketAddress local) throws IOException {
        Socket socket = createSocket();
        try {
            if (local != null) {
                socket.bind(local);
            }
            socket.connect(remote);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }
}
