// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.sockets.SocketRules.Action;
import io.verbs4j.sockets.SocketRules.Transport;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Starts to listen over RDMA, over TCP, or over both on one port, as the rules require.
///
/// @param family null for both
record ListenerPair(SocketContext context, @Nullable ProtocolFamily family, SocketSettings settings) {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.sockets");
    private static final int PORT_ATTEMPTS = 20;
    /// Maximum number of RDMA peers that wait for a place in the backlog: the kernel's maximum. A waiting peer occupies
    /// no memory of this process.
    private static final int REQUESTS = 1024;

    /// The listeners, at least one of them, and their common address.
    record Bound(
            @Nullable RdmaStreamServer rdma,
            @Nullable ServerSocketChannel tcp,
            InetSocketAddress address) {}

    Bound listen(InetSocketAddress address, int backlog) throws IOException {
        Transport transport = context.rules().transport(Action.BIND, address);
        if (transport == Transport.TCP) {
            return onlyTcp(address, backlog);
        }
        return address.getAddress().isAnyLocalAddress()
                ? listenAnywhere(address, backlog, transport)
                : listenAt(address, backlog, transport);
    }

    private static InetSocketAddress address(ServerSocketChannel channel) throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    private Bound onlyTcp(InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel channel = listenTcp(address, backlog);
        return new Bound(null, channel, address(channel));
    }

    private ServerSocketChannel listenTcp(InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel channel = family == null
                ? JdkProvider.get().openServerSocketChannel()
                : JdkProvider.get().openServerSocketChannel(family);
        try {
            settings.applyTo(channel);
            channel.configureBlocking(false);
            channel.bind(address, backlog);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private RdmaStreamServer listenRdma(InetSocketAddress address) {
        return RdmaStreamServer.listen(address, context.options(), REQUESTS);
    }

    private Bound onlyRdma(InetSocketAddress address) {
        RdmaStreamServer server = listenRdma(address);
        try {
            return new Bound(server, null, server.localAddress());
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /// Listens at one address: over RDMA if the address belongs to an RDMA device, and also over TCP if the rules allow
    /// this. Peers without RDMA, and peers whose rules require TCP, come over TCP.
    private Bound listenAt(InetSocketAddress address, int backlog, Transport transport) throws IOException {
        boolean both = transport == Transport.RDMA_OR_TCP;
        boolean local = NetworkInterface.getByInetAddress(address.getAddress()) != null; // false if simulated
        boolean anyPort = address.getPort() == 0;
        if (both && local && !anyPort) {
            listenTcp(address, backlog).close(); // fails if another program listens
        }
        for (int attempt = 1;; attempt++) {
            Bound rdma;
            try {
                rdma = onlyRdma(address);
            } catch (RuntimeException e) { // also if this system does not support RDMA
                if (!both) {
                    throw SocketFailures.binding(e);
                }
                SocketCounters.fellBack(address, e);
                return onlyTcp(address, backlog);
            }
            if (!both) {
                return rdma;
            }
            RdmaStreamServer server = Objects.requireNonNull(rdma.rdma());
            try {
                return new Bound(server, listenTcp(rdma.address(), backlog), rdma.address());
            } catch (IOException e) {
                if (!local || !anyPort || attempt == PORT_ATTEMPTS) { // siw's listener occupies the TCP port
                    LOGGER.log(Level.INFO, "{0} listens over RDMA only, because listening over TCP failed: {1}", server,
                            e.getMessage());
                    return rdma;
                }
                server.close();
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
        }
    }

    /// Listens at all addresses, at the same port over RDMA and TCP.
    private Bound listenAnywhere(InetSocketAddress address, int backlog, Transport transport) throws IOException {
        for (int attempt = 1;; attempt++) {
            ServerSocketChannel channel = listenTcp(address, backlog);
            boolean kept = false;
            try {
                // The bound wildcard depends on whether the JDK's channel serves both families.
                InetSocketAddress bound = address(channel);
                RdmaStreamServer server = null;
                try {
                    server = listenRdma(bound);
                } catch (RuntimeException e) {
                    if (SocketFailures.isPortTaken(e) && address.getPort() == 0 && attempt < PORT_ATTEMPTS) {
                        continue;
                    }
                    if (transport == Transport.RDMA) {
                        throw SocketFailures.binding(e);
                    }
                    SocketCounters.fellBack(bound, e);
                }
                kept = true;
                return new Bound(server, channel, bound);
            } finally {
                if (!kept) {
                    channel.close();
                }
            }
        }
    }
}
