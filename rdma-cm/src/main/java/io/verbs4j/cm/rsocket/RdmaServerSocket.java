// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.cm.IncomingConnection;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.util.Optional;

/// Waits for peers that want a stream. Thread-safe; may be closed at any time.
///
/// @see <a href="https://man7.org/linux/man-pages/man7/rsocket.7.html">rsocket(7)</a>
public final class RdmaServerSocket implements AutoCloseable {
    private final RdmaServer server;
    private final RdmaSocketOptions options;

    private RdmaServerSocket(RdmaServer server, RdmaSocketOptions options) {
        this.server = server;
        this.options = options;
    }

    /// Listens with the default options.
    ///
    /// @see #listen(InetSocketAddress, RdmaSocketOptions)
    public static RdmaServerSocket listen(InetSocketAddress address) {
        return listen(address, RdmaSocketOptions.defaults());
    }

    /// Listens.
    ///
    /// @param address of an RDMA device, or a wildcard for all; port 0 for any
    /// @param options for the streams that [#accept()] makes
    /// @throws VerbsException `EADDRINUSE`, or `EADDRNOTAVAIL` if no RDMA device has the address
    public static RdmaServerSocket listen(InetSocketAddress address, RdmaSocketOptions options) {
        return new RdmaServerSocket(RdmaServer.listen(address, options.connection()), options);
    }

    /// Waits for the next peer and accepts it. Rejects peers that speak another version of the protocol, or another protocol.
    ///
    /// @throws VerbsException if the peer has given up or does not confirm; the server goes on listening
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the server is closed, also while the thread waits
    public RdmaSocket accept() throws InterruptedException {
        while (true) {
            IncomingConnection incoming = server.next();
            Optional<StreamOffer> peer = StreamOffer.decode(incoming.privateData());
            if (peer.isPresent()) {
                return accept(incoming, peer.get());
            }
            incoming.reject(PrivateData.NONE);
        }
    }

    private RdmaSocket accept(IncomingConnection incoming, StreamOffer peer) throws InterruptedException {
        var end = new StreamEnd(options);
        try {
            RdmaConnection connection = incoming.accept(end.connection());
            return new RdmaSocket(connection, end, peer);
        } catch (RuntimeException | InterruptedException | Error e) {
            end.close();
            throw e;
        }
    }

    /// Returns the address and port that it listens on.
    public InetSocketAddress localAddress() {
        return server.localAddress();
    }

    /// Stops listening; streams that it has accepted stand on. Any number of times.
    @Override
    public void close() {
        server.close();
    }

    @Override
    public String toString() {
        return "stream " + server;
    }
}
