// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.QueuePairState;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The verbs objects of one connection.
///
/// @param queuePair the queue pair
/// @param completionQueue the completion queue of sends and receives
/// @param events the events of the completion queue, if the connection belongs to a group; otherwise null
record ConnectionResources(
        QueuePair queuePair, CompletionQueue completionQueue, @Nullable CompletionEvents events) {
    /// Creates the objects that a connection needs on the identifier's device. The queue pair is in INIT, so that
    /// receives can be posted.
    ///
    /// @param joining returns the protection domain, and counts this connection as one of its users
    /// @param rollback closes the objects
    static ConnectionResources open(
            Identifier identifier, ConnectionOptions options, Supplier<SharedDomain> joining, Rollback rollback) {
        ProtectionDomain domain = rollback.make(joining, SharedDomain::leave).domain();
        Context context = domain.context();
        int sends = options.maxSends(context.device());
        CompletionQueue given = options.queue();
        CompletionEvents events = null;
        CompletionQueue queue;
        if (given == null) {
            int entries = completions(options, sends, context);
            CompletionChannel channel =
                    rollback.make(context::createCompletionChannel, CompletionChannel::close);
            if (options.group() != null) {
                events = rollback.make(() -> new CompletionEvents(channel), CompletionEvents::close);
            }
            queue = rollback.make(
                    () -> context.createCompletionQueue(
                            CompletionQueueOptions.entries(entries).withChannel(channel)),
                    CompletionQueue::close);
        } else {
            queue = given;
        }
        QueuePairBuilder builder = domain.queuePair(identifier.queuePairType(), queue)
                .maxSends(sends)
                .maxReceives(options.maxReceives());
        options.queuePair().accept(builder);
        QueuePair queuePair = rollback.make(builder::create, QueuePair::close);
        queuePair.modify(identifier.attributes(QueuePairState.INIT));
        return new ConnectionResources(queuePair, queue, events);
    }

    /// Returns the number of completions for which the default completion queue needs room.
    private static int completions(ConnectionOptions options, int sends, Context context) {
        long needed = (long) sends + options.maxReceives();
        int limit = context.attributes().maxCompletionQueueEntries();
        if (needed > limit) {
            throw new IllegalArgumentException("the connection's completion queue needs " + needed + " entries, and "
                    + context.device().name() + " permits " + limit
                    + " (max_cqe); reduce the numbers of withQueues or withMessages, or set withCompletionQueue");
        }
        return (int) needed;
    }

    /// Returns the caller's domain, or opens the device.
    static SharedDomain domain(Identifier identifier, ConnectionOptions options) {
        ProtectionDomain own = options.domain();
        if (own != null) {
            return SharedDomain.of(own, identifier.addresses().nodeGuid(), identifier::requireDevice);
        }
        ConnectionGroup group = options.group();
        return group == null ? SharedDomain.open(identifier.requireDevice()) : group.domain(identifier);
    }

    /// Returns the events of the completion queue.
    CompletionEvents requireEvents() {
        if (events == null) {
            throw new IllegalStateException(
                    "the connection belongs to no group, and has its own completion channel; use ConnectionOptions.withGroup");
        }
        return events;
    }
}
