// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A peer's request. The program accepts or rejects a request once. Closing a request without an answer rejects it.
/// Thread-safe.
public final class IncomingConnection implements AutoCloseable {
    private final RdmaServer server;
    private final Identifier identifier;
    private final ConnectionParameters parameters;
    private final AtomicBoolean answered = new AtomicBoolean();

    IncomingConnection(RdmaServer server, CmEvent.ConnectRequest request) {
        this.server = server;
        this.identifier = request.incoming();
        this.parameters = request.parameters();
    }

    /// Returns the peer's address and port.
    public InetSocketAddress peerAddress() {
        return Addresses.present(identifier.addresses().peer());
    }

    /// Returns the local address and port that the peer requested.
    public InetSocketAddress localAddress() {
        return Addresses.present(identifier.addresses().local());
    }

    /// Returns the peer's private data. Over InfiniBand and RoCE, this data has 56 bytes, padded with zeros.
    public PrivateData privateData() {
        return MessageTerms.without(parameters.privateData(), PrivateDataLimits.CONNECT);
    }

    /// Returns the message terms that the peer requests; null for none.
    @Nullable
    MessageTerms messages() {
        return MessageTerms.in(parameters.privateData(), PrivateDataLimits.CONNECT);
    }

    /// Returns the peer's offer, with incoming and outgoing reads swapped.
    public ConnectionParameters parameters() {
        return parameters;
    }

    RdmaServer server() {
        return server;
    }

    Identifier identifier() {
        return identifier;
    }

    /// Accepts with the server's options.
    public RdmaConnection accept() throws InterruptedException {
        return accept(server.options());
    }

    /// Accepts: creates a queue pair, moves the queue pair to RTS, answers, and waits for the peer's confirmation.
    ///
    /// @throws VerbsException if the peer has given up or does not confirm in time, if the device refuses, or if the
    ///     message lengths of both ends differ (`EPROTO`). In all cases, the request is rejected
    public RdmaConnection accept(ConnectionOptions options) throws InterruptedException {
        answer();
        return RdmaConnection.accept(this, options);
    }

    /// Accepts in a virtual thread. Cancelling the future rejects the request, or ends the connection.
    public CompletableFuture<RdmaConnection> acceptAsync(ConnectionOptions options) {
        return Background.run(() -> accept(options));
    }

    /// Rejects the request.
    ///
    /// @param data private data for the peer, at most 148 bytes
    public void reject(PrivateData data) {
        answer();
        try {
            identifier.reject(data);
        } finally {
            identifier.close();
        }
    }

    private void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(this + " was already answered");
        }
    }

    /// Rejects the request, unless it was answered. Idempotent.
    @Override
    public void close() {
        if (answered.compareAndSet(false, true)) {
            identifier.close();
        }
    }

    @Override
    public String toString() {
        return "request of " + identifier;
    }
}
