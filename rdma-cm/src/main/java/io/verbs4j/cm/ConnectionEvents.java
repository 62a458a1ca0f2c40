// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Collects the events of one identifier. Before the connection is established, the connecting thread takes the events.
/// Afterwards, [Disconnection] handles them.
final class ConnectionEvents {
    private static final long GLANCE_NANOS = 50_000_000;

    private final @Nullable EventChannel channel;
    private final String operation;
    private final Duration timeout;
    private final long deadline;
    private final LinkedBlockingQueue<CmEvent> queue = new LinkedBlockingQueue<>();
    private @Nullable Disconnection disconnection; // guarded by this

    private final Runnable leave;
    private final AtomicBoolean left = new AtomicBoolean();

    private ConnectionEvents(
            @Nullable EventChannel channel, Runnable leave, String operation, Duration timeout, long deadline) {
        this.channel = channel;
        this.leave = leave;
        this.operation = operation;
        this.timeout = timeout;
        this.deadline = deadline;
    }

    /// Returns events of a separate channel, which the connecting thread reads.
    private static ConnectionEvents own(EventChannel channel, String operation, Duration timeout, long deadline) {
        return new ConnectionEvents(channel, channel::close, operation, timeout, deadline);
    }

    /// Resolves address and route of an identifier whose channel has no other reader.
    static ConnectionEvents resolve(
            EventChannel channel, Identifier identifier, InetSocketAddress address, ConnectionOptions options)
            throws InterruptedException {
        return resolve(channel, identifier, address, options, Deadline.of(options.timeout()));
    }

    /// Resolves address and route of an identifier. The channel has no other reader, or a group's pump delivers the
    /// events.
    static ConnectionEvents resolve(
            EventChannel channel,
            Identifier identifier,
            InetSocketAddress address,
            ConnectionOptions options,
            long deadline)
            throws InterruptedException {
        String operation = "connect to " + Addresses.text(address);
        ConnectionGroup group = options.group();
        ConnectionEvents events = group == null
                ? own(channel, operation, options.timeout(), deadline)
                : new ConnectionEvents(null, group::leaveChannel, operation, options.timeout(), deadline);
        identifier.attach(events);
        options.applyTo(identifier);
        events.resolveAddress(identifier, options.source(), address);
        Duration left = Deadline.left(deadline);
        if (left.toMillis() == 0) { // the kernel rejects a timeout of 0
            throw CmFailures.timeout(events.operation, options.timeout(), "the route is not resolved");
        }
        identifier.resolveRoute(left);
        events.await(CmEvent.RouteResolved.class, () -> "the route is not resolved");
        return events;
    }

    private void resolveAddress(Identifier identifier, @Nullable InetSocketAddress source, InetSocketAddress address)
            throws InterruptedException {
        var resolution = AddressResolution.begin(identifier, source, address, deadline);
        CmEvent event = next(null);
        while (event != null && resolution.retry(event)) {
            event = next(null);
        }
        check(event, CmEvent.AddressResolved.class, () -> "the neighbour has not answered");
    }

    /// Returns the events of one identifier of a server, which the server's pump delivers.
    static ConnectionEvents of(RdmaServer server, String operation, Duration timeout) {
        server.join();
        return new ConnectionEvents(null, server::leave, operation, timeout, Deadline.of(timeout));
    }

    /// Delivers an event to the object attached to its identifier.
    static void dispatch(CmEvent event) {
        if (event.identifier().attachment() instanceof ConnectionEvents events) {
            events.deliver(event);
        }
    }

    private void deliver(CmEvent event) {
        Disconnection established;
        synchronized (this) {
            established = disconnection;
            if (established == null) {
                queue.add(event);
            }
        }
        if (established != null) {
            established.on(event);
        }
    }

    /// Hands all collected and all later events to the established connection.
    void established(Disconnection ends) {
        synchronized (this) {
            disconnection = ends;
        }
        for (CmEvent event = queue.poll(); event != null; event = queue.poll()) {
            ends.on(event);
        }
    }

    /// Waits for an event.
    ///
    /// @param hint returns the missing step, for the message of a timeout
    /// @throws VerbsException if the event is a failure or unexpected, or if no event arrives in time
    <T extends CmEvent> T await(Class<T> expected, Supplier<String> hint) throws InterruptedException {
        return check(next(null), expected, hint);
    }

    /// Waits for an event.
    ///
    /// @param whileWaiting runs repeatedly until an event arrives
    <T extends CmEvent> T await(Class<T> expected, Supplier<String> hint, Runnable whileWaiting)
            throws InterruptedException {
        return check(next(whileWaiting), expected, hint);
    }

    private <T extends CmEvent> T check(@Nullable CmEvent event, Class<T> expected, Supplier<String> hint) {
        if (event == null) {
            throw CmFailures.timeout(operation, timeout, hint.get());
        }
        VerbsException failure = CmFailures.of(operation, event);
        if (failure != null) {
            throw failure;
        }
        if (!expected.isInstance(event)) {
            throw new IllegalStateException(
                    operation + ": unexpected event " + event + " instead of " + expected.getSimpleName());
        }
        return expected.cast(event);
    }

    /// @param whileWaiting runs repeatedly while no event arrives; null for no action
    private @Nullable CmEvent next(@Nullable Runnable whileWaiting) throws InterruptedException {
        EventChannel own = channel;
        if (own == null) {
            while (true) {
                long remaining = Deadline.remaining(deadline);
                long wait = whileWaiting == null ? remaining : Math.min(remaining, GLANCE_NANOS);
                CmEvent event = queue.poll(wait, TimeUnit.NANOSECONDS);
                if (event != null || remaining == 0) {
                    return event;
                }
                if (whileWaiting != null) {
                    whileWaiting.run();
                }
            }
        }
        while (true) {
            Optional<CmEvent> event = own.await(Deadline.left(deadline));
            if (event.isPresent() || Deadline.remaining(deadline) == 0) {
                return event.orElse(null);
            }
        }
    }

    /// Returns the operation, for messages.
    String operation() {
        return operation;
    }

    /// Stops receiving events. Idempotent.
    void close() {
        if (left.compareAndSet(false, true)) {
            leave.run();
        }
    }
}
