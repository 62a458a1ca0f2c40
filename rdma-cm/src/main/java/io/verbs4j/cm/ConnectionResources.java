// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Holds the verbs objects of one connection, and closes them in order.
final class ConnectionResources implements AutoCloseable {
    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final @Nullable CompletionEvents events;
    private final Deque<Runnable> closing; // guarded by this

    private ConnectionResources(
            QueuePair queuePair,
            CompletionQueue queue,
            @Nullable CompletionEvents events,
            Deque<Runnable> closing) {
        this.queuePair = queuePair;
        this.queue = queue;
        this.events = events;
        this.closing = closing;
    }

    /// Creates the objects that a connection needs on the identifier's device.
    ///
    /// @param shared a server's domain, already joined; null to open the device
    static ConnectionResources open(Identifier identifier, ConnectionOptions options, @Nullable SharedDomain shared) {
        var closing = new ArrayDeque<Runnable>();
        try {
            SharedDomain used = shared != null ? shared : domain(identifier, options);
            closing.push(used::leave);
            ProtectionDomain domain = used.domain();
            Context context = domain.context();
            CompletionQueue queue = options.queue();
            CompletionEvents events = null;
            if (queue == null) {
                CompletionChannel channel;
                if (options.group() == null) {
                    channel = context.createCompletionChannel();
                    closing.push(channel::close);
                } else {
                    events = new CompletionEvents(context);
                    closing.push(events::close);
                    channel = events.channel();
                }
                int entries = Math.min(
                        options.maxSends(context.device()) + options.maxReceives(),
                        context.attributes().maxCompletionQueueEntries());
                queue = context.createCompletionQueue(
                        CompletionQueueOptions.entries(entries).withChannel(channel));
                closing.push(queue::close);
            }
            QueuePairType type = identifier.queuePairType();
            QueuePairBuilder builder = domain.queuePair(type, queue)
                    .maxSends(options.maxSends(context.device()))
                    .maxReceives(options.maxReceives());
            options.queuePair().accept(builder);
            QueuePair queuePair = builder.create();
            closing.push(queuePair::close);
            return new ConnectionResources(queuePair, queue, events, closing);
        } catch (RuntimeException | Error e) {
            Closing.drainAfter(e, closing);
            throw e;
        }
    }

    /// Returns the caller's domain, or opens the device.
    static SharedDomain domain(Identifier identifier, ConnectionOptions options) {
        Device device = identifier.requireDevice();
        ProtectionDomain own = options.domain();
        if (own != null) {
            return SharedDomain.of(own, device);
        }
        ConnectionGroup group = options.group();
        return group == null ? SharedDomain.open(device) : group.domain(device);
    }

    QueuePair queuePair() {
        return queuePair;
    }

    CompletionQueue completionQueue() {
        return queue;
    }

    /// Returns the events of the completion queue.
    CompletionEvents events() {
        if (events == null) {
            throw new IllegalStateException(
                    "the connection belongs to no group, and has its own completion channel; use ConnectionOptions.withGroup");
        }
        return events;
    }

    /// Adds messages, which are closed before all other objects.
    synchronized Messages add(Messages messages) {
        closing.push(messages::close);
        return messages;
    }

    /// Closes everything. Idempotent.
    @Override
    public synchronized void close() {
        var steps = new ArrayList<Runnable>(closing);
        closing.clear();
        Closing.all(steps);
    }
}
