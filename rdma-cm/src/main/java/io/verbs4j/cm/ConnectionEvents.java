// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Collects the events of one identifier. Until [#handOver], the thread that connects or accepts takes the events.
/// Afterwards, a handler gets them.
final class ConnectionEvents {
    private static final long GLANCE_NANOS = 50_000_000;

    private final @Nullable EventChannel channel;
    private final String operation;
    private final Duration timeout;
    private final long deadline;
    private final LinkedBlockingQueue<CmEvent> queue = new LinkedBlockingQueue<>();
    private @Nullable Consumer<CmEvent> handler; // guarded by this

    /// @param channel the identifier's own channel, which the waiting thread reads; null if a server or a group
    ///     delivers the events
    /// @param operation the operation, for messages
    ConnectionEvents(@Nullable EventChannel channel, String operation, Duration timeout, long deadline) {
        this.channel = channel;
        this.operation = operation;
        this.timeout = timeout;
        this.deadline = deadline;
    }

    /// Delivers an event to the object attached to its identifier.
    static void dispatch(CmEvent event) {
        if (event.identifier().attachment() instanceof ConnectionEvents events) {
            events.deliver(event);
        }
    }

    private void deliver(CmEvent event) {
        Consumer<CmEvent> present;
        synchronized (this) {
            present = handler;
            if (present == null) {
                queue.add(event);
            }
        }
        if (present != null) {
            present.accept(event);
        }
    }

    /// Hands all collected and all later events to a handler, which must not wait for other events.
    void handOver(Consumer<CmEvent> to) {
        synchronized (this) {
            handler = to;
        }
        for (CmEvent event = queue.poll(); event != null; event = queue.poll()) {
            to.accept(event);
        }
        if (channel != null) {
            EventPump.start(channel, ConnectionEvents::dispatch);
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

    /// Checks that the event has the expected class, and returns the event.
    ///
    /// @param event null if no event has arrived in time
    /// @throws VerbsException as [#await(Class, Supplier)]
    /// @throws IllegalStateException if the channel was closed
    <T extends CmEvent> T check(@Nullable CmEvent event, Class<T> expected, Supplier<String> hint) {
        if (event == null) {
            throw CmFailures.timeout(operation, timeout, hint.get());
        }
        event.identifier().channel().requireOpen(); // closing the channel delivers an event
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

    /// Waits for any event that is a step or the end of the attempt. Ignores other events, such as a change of address.
    ///
    /// @param whileWaiting runs repeatedly while no event arrives; null for no action
    /// @return null after the deadline
    @Nullable
    CmEvent next(@Nullable Runnable whileWaiting) throws InterruptedException {
        while (true) {
            long remaining = Deadline.left(deadline);
            CmEvent event;
            if (channel != null) {
                event = channel.await(Duration.ofNanos(remaining)).orElse(null);
            } else {
                long wait = whileWaiting == null ? remaining : Math.min(remaining, GLANCE_NANOS);
                event = queue.poll(wait, TimeUnit.NANOSECONDS);
            }
            if (!isIgnored(event) && (event != null || remaining == 0)) {
                return event;
            }
            if (whileWaiting != null) {
                whileWaiting.run();
            }
        }
    }

    private static boolean isIgnored(@Nullable CmEvent event) {
        return event instanceof CmEvent.AddressChanged
                || event instanceof CmEvent.UserEvent
                || event instanceof CmEvent.OtherEvent;
    }

    /// Returns the operation, for messages.
    String operation() {
        return operation;
    }

    /// Returns the deadline of the last event.
    long deadline() {
        return deadline;
    }
}
