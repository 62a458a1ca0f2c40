// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.IncomingConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// Listens for streams on an IP address and port. Thread-safe; many threads may accept; may be closed at any time.
public final class RdmaStreamServer implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.cm");
    private static final Duration LONG = Duration.ofDays(365);

    private final RdmaServer server;
    private final StreamOptions options;

    private RdmaStreamServer(RdmaServer server, StreamOptions options) {
        this.server = server;
        this.options = options;
    }

    /// Listens with the default options.
    public static RdmaStreamServer listen(InetSocketAddress address) {
        return listen(address, StreamOptions.defaults());
    }

    /// Listens.
    ///
    /// @param address the address of an RDMA device, or a wildcard for all devices; port 0 for any port
    /// @param options options of the accepted streams
    /// @throws VerbsException `EADDRINUSE`, `EADDRNOTAVAIL` or `ENODEV` if port or address is not available; see
    ///     [io.verbs4j.cm.Identifier#bind]
    public static RdmaStreamServer listen(InetSocketAddress address, StreamOptions options) {
        return listen(address, options, RdmaServer.DEFAULT_BACKLOG);
    }

    /// Listens, as [#listen(InetSocketAddress, StreamOptions)] does.
    ///
    /// @param backlog number of peers that may wait to be accepted, at least 1; further peers are rejected. A waiting
    ///     peer has no rings yet, and so needs no registered memory
    public static RdmaStreamServer listen(InetSocketAddress address, StreamOptions options, int backlog) {
        return new RdmaStreamServer(
                RdmaServer.listen(address, ConnectionOptions.defaults(), backlog, identifier -> {}), options);
    }

    /// Waits for the next peer and accepts it. Requests of other protocols are rejected and logged, and waiting
    /// continues.
    ///
    /// @throws VerbsException if the peer has given up or does not confirm; the server continues to listen. `ENODEV` if
    ///     the device with the server's address was removed; the server has stopped listening
    /// @throws IllegalStateException if the server is closed, even during this call
    public RdmaStream accept() throws InterruptedException {
        while (true) {
            Optional<RdmaStream> stream = accept(LONG);
            if (stream.isPresent()) {
                return stream.get();
            }
        }
    }

    /// Waits for the next peer and accepts it, as [#accept()] does.
    ///
    /// @param timeout the longest wait for a request
    /// @return empty after the timeout, or if the request was rejected
    public Optional<RdmaStream> accept(Duration timeout) throws InterruptedException {
        return acceptEndpoint(timeout).map(endpoint -> RdmaStream.of(endpoint, options));
    }

    /// Waits for the next peer and accepts it, as [#accept(Duration)] does, and returns an endpoint that does not
    /// block.
    public Optional<StreamEndpoint> acceptEndpoint(Duration timeout) throws InterruptedException {
        Optional<IncomingConnection> next = server.next(timeout);
        if (next.isEmpty()) {
            return Optional.empty();
        }
        return accept(next.get());
    }

    private Optional<StreamEndpoint> accept(IncomingConnection request) throws InterruptedException {
        Greeting peer;
        try {
            peer = Greeting.decode(request.privateData());
        } catch (VerbsException e) {
            LOGGER.log(Level.WARNING, "{0} rejects {1}: {2}", server, request, e.getMessage());
            request.reject(PrivateData.NONE);
            return Optional.empty();
        }
        return Optional.of(StreamEndpoint.accept(request, peer, options));
    }

    /// Starts to accept peers, each in its own virtual thread. A peer that does not confirm therefore does not delay
    /// the others. Requests of other protocols are rejected and logged. Call this method only once, and call no other
    /// accepting method.
    ///
    /// @param limit maximum number of peers that are being accepted, or whose consumer has not returned; further peers
    ///     wait
    /// @param consumer receives each stream in the virtual thread of that stream; the consumer may wait. Its exceptions
    ///     go to the thread's handler of uncaught exceptions
    public void acceptEach(int limit, Consumer<StreamEndpoint> consumer) {
        acceptEach(
                limit,
                consumer,
                failure -> LOGGER.log(Level.WARNING, "{0} accepts no more: {1}", server, failure.getMessage()));
    }

    /// Starts to accept peers, as [#acceptEach(int, Consumer)] does.
    ///
    /// @param lost runs if the device with the server's address was removed; the server has stopped listening
    public void acceptEach(int limit, Consumer<StreamEndpoint> consumer, Consumer<VerbsException> lost) {
        var permits = new Semaphore(limit);
        Thread.ofVirtual().name("verbs4j accepting " + this).start(() -> {
            try {
                while (true) {
                    permits.acquire();
                    IncomingConnection request = server.next();
                    Thread.ofVirtual().start(() -> {
                        try {
                            tryAccept(request).ifPresent(consumer);
                        } finally {
                            permits.release();
                        }
                    });
                }
            } catch (IllegalStateException | InterruptedException e) {
                LOGGER.log(Level.DEBUG, "{0} accepts no more", server);
            } catch (VerbsException e) {
                lost.accept(e);
            }
        });
    }

    /// Accepts a request, and logs a failure. Failures that a peer can cause have the level DEBUG.
    private Optional<StreamEndpoint> tryAccept(IncomingConnection request) {
        try {
            return accept(request);
        } catch (ResourceLimitException | IllegalArgumentException e) {
            LOGGER.log(Level.WARNING, "{0} rejects {1}: {2}", server, request, e.getMessage());
        } catch (RuntimeException | InterruptedException e) {
            LOGGER.log(Level.DEBUG, "{0} did not accept {1}: {2}", server, request, e.getMessage());
        }
        return Optional.empty();
    }

    /// Returns the address and port that the server listens on.
    public InetSocketAddress localAddress() {
        return server.localAddress();
    }

    /// Stops listening. Accepted streams stay open. Idempotent.
    @Override
    public void close() {
        server.close();
    }

    @Override
    public String toString() {
        return "streams of " + server;
    }
}
