// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/// Creates sockets that connect to Valkey servers over RDMA. A program that uses valkey-java or Jedis changes one line:
///
/// ```java
/// var factory = ValkeySocketFactory.to(new InetSocketAddress("10.9.0.2", 6379));
/// var jedis = new Jedis(factory::createSocket);
/// ```
///
/// | method of a socket | over RDMA |
/// |---|---|
/// | `connect`, streams, `setSoTimeout`, `close` | as over TCP |
/// | options of TCP | stored, without effect |
/// | `shutdownInput`, `shutdownOutput` | this end stops; the server is not notified |
/// | `getChannel`, `bind`, urgent data | not supported |
///
/// The errors are those of [java.net]: [java.net.ConnectException], [java.net.SocketTimeoutException],
/// [java.net.SocketException], with the cause. Immutable and thread-safe.
public final class ValkeySocketFactory extends SocketFactory {
    private final ValkeyOptions options;
    private final @Nullable InetSocketAddress destination;

    private ValkeySocketFactory(ValkeyOptions options, @Nullable InetSocketAddress destination) {
        this.options = options;
        this.destination = destination;
    }

    /// Returns a factory of unconnected sockets.
    public static ValkeySocketFactory of(ValkeyOptions options) {
        return new ValkeySocketFactory(options, null);
    }

    /// Returns a factory whose [#createSocket()] creates sockets for one server, with the default options.
    public static ValkeySocketFactory to(InetSocketAddress server) {
        return to(server, ValkeyOptions.defaults());
    }

    /// Returns a factory whose [#createSocket()] creates sockets for one server.
    ///
    /// @param server the server's address; an unresolved name is resolved for each socket
    public static ValkeySocketFactory to(InetSocketAddress server, ValkeyOptions options) {
        return new ValkeySocketFactory(options, server);
    }

    /// Returns a socket. If the factory is [for one server][#to(InetSocketAddress)], the socket connects when the
    /// program requests its first stream, so that clients get the error where they expect it. Otherwise the program
    /// connects the socket.
    @Override
    public Socket createSocket() {
        try {
            return new ValkeySocket(options, destination);
        } catch (SocketException e) {
            throw new AssertionError("a socket without a socket of the system cannot fail", e);
        }
    }

    /// Returns a connected socket.
    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    /// Returns a connected socket.
    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    /// Throws [SocketException], because the route determines the local address.
    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        throw localAddress();
    }

    /// Throws [SocketException], because the route determines the local address.
    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        throw localAddress();
    }

    private static SocketException localAddress() {
        return new SocketException("a socket to Valkey over RDMA cannot choose its local address");
    }

    private Socket connected(InetSocketAddress server) throws IOException {
        var socket = new ValkeySocket(options, server);
        try {
            socket.getOutputStream();
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
