// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
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
/// The server opens a device at the first request to this device. All connections over the device share the open
/// device.
public final class RdmaServer implements AutoCloseable {
    /// Default number of requests that may wait for [#next()].
    public static final int DEFAULT_BACKLOG = 128;

    /// A queue entry for a waiting thread: a request, or null at the end.
    private record QueuedRequest(@Nullable IncomingConnection request) {}

    private final EventChannel channel;
    private final Identifier listener;
    private final ConnectionOptions options;
    private final int backlog;
    private final LinkedBlockingDeque<QueuedRequest> requests = new LinkedBlockingDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final SharedDomains domains = new SharedDomains(true); // guarded by the lock
    private boolean closed; // guarded by the lock
    private boolean overrun; // guarded by the lock
    /// Number of users of the channel: this object, and the connections whose events the channel delivers.
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
    /// @param address address of an RDMA device, or a wildcard for all devices; port 0 for any port. `0.0.0.0` accepts
    ///     IPv4, `::` both families
    /// @param options options of the connections that [#accept()] returns
    /// @throws VerbsException `EADDRINUSE`, `EADDRNOTAVAIL` or `ENODEV` if port or address is not available; see
    ///     [Identifier#bind]
    public static RdmaServer listen(InetSocketAddress address, ConnectionOptions options) {
        return listen(address, options, DEFAULT_BACKLOG, identifier -> {});
    }

    /// Listens.
    ///
    /// @param backlog maximum number of requests that wait for [#next()], at least 1; further requests are rejected
    /// @param setting an action that sets options of the listening identifier before it is bound
    public static RdmaServer listen(
            InetSocketAddress address,
            ConnectionOptions options,
            int backlog,
            Consumer<Identifier> setting) {
        Ranges.check("backlog", backlog, 1, Integer.MAX_VALUE);
        try (var rollback = new Rollback()) {
            EventChannel channel = rollback.make(EventChannel::open, EventChannel::close);
            Identifier listener = channel.create(PortSpace.TCP);
            setting.accept(listener);
            listener.bind(address);
            var server = new RdmaServer(channel, listener, options, backlog);
            listener.listen(backlog);
            EventPump.startShared(channel, server::on);
            rollback.keep();
            return server;
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
                        removed.identifier() == listener ? "the server has stopped listening" : "a connection ends");
                ConnectionEvents.dispatch(event);
                letDevicesGo();
                if (removed.identifier() == listener) {
                    requests.add(new QueuedRequest(null));
                    listener.close();
                }
            }
            default -> ConnectionEvents.dispatch(event);
        }
    }

    /// Closes the devices, because the removal of a device may wait until the device is closed. The next request to a
    /// remaining device opens that device again.
    private void letDevicesGo() {
        var leaving = new ArrayList<Runnable>();
        lock.lock();
        try {
            domains.clear().forEach(domain -> leaving.add(domain::leave));
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
                requests.add(new QueuedRequest(new IncomingConnection(this, request)));
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            Log.LOGGER.log(
                    Level.WARNING,
                    "{0} rejects requests: its backlog of {1} is full",
                    this,
                    backlog);
        }
        if (full) {
            request.incoming().close(); // rejects, unless the peer has given up
        }
    }

    /// Waits for the next request.
    ///
    /// @throws VerbsException as [#next(Duration)]
    /// @throws IllegalStateException if the server is closed, even during this call
    public IncomingConnection next() throws InterruptedException {
        requireOpen();
        return request(requests.take());
    }

    /// Waits for the next request.
    ///
    /// @return empty after the timeout
    /// @throws VerbsException `ENODEV` if the device with the server's address was removed; a server at a wildcard
    ///     address continues
    /// @throws IllegalStateException if the server is closed, even during this call
    public Optional<IncomingConnection> next(Duration timeout) throws InterruptedException {
        requireOpen();
        QueuedRequest queued = requests.poll(Deadline.left(Deadline.within(timeout)), TimeUnit.NANOSECONDS);
        return queued == null ? Optional.empty() : Optional.of(request(queued));
    }

    private IncomingConnection request(QueuedRequest queued) {
        IncomingConnection request = queued.request();
        if (request == null) {
            requests.add(queued); // wakes the next waiting thread
            requireOpen();
            throw KernelErrors.failure("take a connection request of " + this, Errno.ENODEV,
                    "the RDMA device with the server's address was removed; close the server, and listen again when the device"
                            + " is back");
        }
        return request;
    }

    /// Waits for the next request and accepts it.
    ///
    /// @throws VerbsException if the peer has given up or does not confirm; the server continues to listen. `ENODEV` if
    ///     the device with the server's address was removed; the server has stopped listening
    /// @throws IllegalStateException if the server is closed, even during this call
    public RdmaConnection accept() throws InterruptedException {
        return next().accept();
    }

    /// Accepts the next request in a virtual thread.
    public CompletableFuture<RdmaConnection> acceptAsync() {
        return Background.run(this::accept);
    }

    /// Returns the address and port that the server listens on.
    public InetSocketAddress localAddress() {
        return Addresses.present(listener.addresses().local());
    }

    ConnectionOptions options() {
        return options;
    }

    /// Returns the domain for a connection, and adds a user.
    SharedDomain domain(Identifier identifier, ConnectionOptions wanted) {
        if (wanted.domain() != null || wanted.group() != null) {
            return ConnectionResources.domain(identifier, wanted);
        }
        lock.lock();
        try {
            if (closed) {
                throw closedAlready();
            }
            return domains.join(identifier);
        } finally {
            lock.unlock();
        }
    }

    /// Adds a connection as a user of the channel.
    void join() {
        users.incrementAndGet();
    }

    /// Removes a user of the channel. The last user closes the channel.
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

    /// Stops listening, and rejects all pending requests. Accepted connections continue. Idempotent.
    @Override
    public void close() {
        var waiting = new ArrayList<QueuedRequest>();
        var leaving = new ArrayList<SharedDomain>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            requests.drainTo(waiting);
            requests.add(new QueuedRequest(null));
            leaving.addAll(domains.clear());
        } finally {
            lock.unlock();
        }
        var steps = new ArrayList<Runnable>();
        steps.add(listener::close);
        for (QueuedRequest queued : waiting) {
            if (queued.request() != null) {
                steps.add(queued.request()::close);
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
