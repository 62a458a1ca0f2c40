// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.Device;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Listens for connections on an IP address and port. Thread-safe; many threads may accept; may be closed at any time.
///
/// The device of each request is opened once, and serves all connections that come over it.
public final class RdmaServer implements AutoCloseable {
    /// Requests that wait for [#next()] if nothing else is asked for.
    public static final int DEFAULT_BACKLOG = 128;

    private static final Duration LONG = Duration.ofDays(365);

    /// The answer for a thread that waits: a request, or null at the end.
    private record Turn(@Nullable IncomingConnection request) {}

    private final EventChannel channel;
    private final Identifier listener;
    private final ConnectionOptions options;
    private final int backlog;
    private final LinkedBlockingDeque<Turn> requests = new LinkedBlockingDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, SharedDomain> domains = new HashMap<>(); // guarded by the lock
    private boolean closed; // guarded by the lock
    private boolean overrun; // guarded by the lock
    /// This object, and the connections whose events the channel brings.
    private final AtomicInteger users = new AtomicInteger(1);

    private RdmaServer(EventChannel channel, Identifier listener, ConnectionOptions options, int backlog) {
        this.channel = channel;
        this.listener = listener;
        this.options = options;
        this.backlog = backlog;
    }

    /// Listens with the default options.
    public static RdmaServer listen(InetSocketAddress address) {
        return listen(address, ConnectionOptions.defaults());
    }

    /// Listens.
    ///
    /// @param address of an RDMA device, or a wildcard for all; port 0 for any. `0.0.0.0` takes IPv4, `::` both families
    /// @param options for the connections that [#accept()] makes
    /// @throws VerbsException `EADDRINUSE`, `EADDRNOTAVAIL` or `ENODEV` if port or address cannot be had; see [Identifier#bind]
    public static RdmaServer listen(InetSocketAddress address, ConnectionOptions options) {
        return listen(address, options, DEFAULT_BACKLOG, identifier -> {});
    }

    /// Listens.
    ///
    /// @param backlog requests that may wait for [#next()], at least 1; further ones are rejected
    /// @param setting sets options of the listening identifier before it is bound
    public static RdmaServer listen(
            InetSocketAddress address,
            ConnectionOptions options,
            int backlog,
            Consumer<Identifier> setting) {
        Ranges.check("backlog", backlog, 1, Integer.MAX_VALUE);
        EventChannel channel = options.openChannel();
        try {
            Identifier listener = channel.create(PortSpace.TCP);
            setting.accept(listener);
            listener.bind(address);
            var server = new RdmaServer(channel, listener, options, backlog);
            listener.listen(backlog);
            EventPump.start(channel, server::on);
            return server;
        } catch (RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private void on(CmEvent event) {
        switch (event) {
            case CmEvent.ConnectRequest request -> on(request);
            case CmEvent.DeviceRemoved removed -> {
                Log.LOGGER.log(
                        Level.WARNING,
                        "a device of {0} was removed: {1}",
                        this,
                        removed.identifier() == listener ? "the server listens no more" : "a connection ends");
                ConnectionEvents.dispatch(event);
                letDevicesGo();
                if (removed.identifier() == listener) {
                    requests.add(new Turn(null));
                    listener.close();
                }
            }
            default -> ConnectionEvents.dispatch(event);
        }
    }

    /// The removal of a device may wait until nobody has it open. Those that remain are opened again by their next request.
    private void letDevicesGo() {
        var leaving = new ArrayList<Runnable>();
        lock.lock();
        try {
            domains.values().forEach(domain -> leaving.add(domain::leave));
            domains.clear();
        } finally {
            lock.unlock();
        }
        ConnectionGroup group = options.group();
        if (group != null) {
            leaving.add(group::forgetDevices);
        }
        Closing.all(leaving);
    }

    private void on(CmEvent.ConnectRequest request) {
        boolean full;
        boolean first;
        lock.lock();
        try {
            full = closed || requests.size() >= backlog;
            first = full && !closed && !overrun;
            overrun = full;
            if (!full) {
                requests.add(new Turn(new IncomingConnection(this, request)));
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            Log.LOGGER.log(
                    Level.WARNING,
                    "{0} rejects requests: {1} wait to be accepted already, as many as its backlog",
                    this,
                    backlog);
        }
        if (full) {
            try {
                request.incoming().reject(PrivateData.NONE);
            } finally {
                request.incoming().close();
            }
        }
    }

    /// Waits for the next request.
    ///
    /// @throws IllegalStateException if the server is closed, also while the thread waits
    public IncomingConnection next() throws InterruptedException {
        while (true) {
            Optional<IncomingConnection> request = next(LONG);
            if (request.isPresent()) {
                return request.get();
            }
        }
    }

    /// Waits for the next request.
    ///
    /// @return empty after the timeout
    /// @throws VerbsException `ENODEV` if the device with the server's address was removed; a server that listens at a wildcard goes on
    /// @throws IllegalStateException if the server is closed, also while the thread waits
    public Optional<IncomingConnection> next(Duration timeout) throws InterruptedException {
        requireOpen();
        Turn turn = requests.poll(Deadline.remaining(Deadline.of(timeout)), TimeUnit.NANOSECONDS);
        if (turn == null) {
            return Optional.empty();
        }
        if (turn.request() == null) {
            requests.add(turn); // for the next thread that waits
            requireOpen();
            throw KernelErrors.failure("take a connection request of " + this, Errno.ENODEV,
                    "the RDMA device with the server's address was removed; close the server, and listen again when the device"
                            + " is back");
        }
        return Optional.of(turn.request());
    }

    /// Waits for the next request and accepts it.
    ///
    /// @throws VerbsException if the peer has given up in that time or does not confirm; the server goes on listening
    /// @throws IllegalStateException if the server is closed, also while the thread waits
    public RdmaConnection accept() throws InterruptedException {
        return next().accept();
    }

    /// Accepts the next request in a virtual thread.
    public CompletableFuture<RdmaConnection> acceptAsync() {
        return Background.run(this::accept);
    }

    /// Returns the address and port that it listens on.
    public InetSocketAddress localAddress() {
        return Addresses.present(listener.addresses().local());
    }

    ConnectionOptions options() {
        return options;
    }

    /// Returns the domain for a connection, for one user more.
    SharedDomain domain(Identifier identifier, ConnectionOptions wanted) {
        if (wanted.domain() != null || wanted.group() != null) {
            return ConnectionResources.domain(identifier, wanted);
        }
        Device device = identifier.requireDevice();
        lock.lock();
        try {
            if (closed) {
                throw closedAlready();
            }
            String key = device.name() + " " + device.index();
            SharedDomain known = domains.get(key);
            if (known == null || !known.join()) {
                known = SharedDomain.open(device);
                domains.put(key, known);
                known.join();
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /// Notes that a connection needs the channel.
    void join() {
        users.incrementAndGet();
    }

    /// Notes that nobody needs the channel for a connection any more.
    void leave() {
        if (users.decrementAndGet() == 0) {
            channel.close();
        }
    }

    private void requireOpen() {
        lock.lock();
        try {
            if (closed) {
                throw closedAlready();
            }
        } finally {
            lock.unlock();
        }
    }

    private IllegalStateException closedAlready() {
        return new IllegalStateException(this + " is closed");
    }

    /// Stops listening and rejects all requests that are not accepted yet. Connections that it has accepted stand on. Any number of times.
    @Override
    public void close() {
        var waiting = new ArrayList<Turn>();
        var leaving = new ArrayList<SharedDomain>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            requests.drainTo(waiting);
            requests.add(new Turn(null));
            leaving.addAll(domains.values());
            domains.clear();
        } finally {
            lock.unlock();
        }
        var steps = new ArrayList<Runnable>();
        steps.add(listener::close);
        for (Turn turn : waiting) {
            if (turn.request() != null) {
                steps.add(turn.request()::close);
            }
        }
        steps.add(this::leave);
        leaving.forEach(domain -> steps.add(domain::leave));
        Closing.all(steps);
    }

    @Override
    public String toString() {
        return "RDMA server of " + listener;
    }
}
