// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.Identifier;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Queue pairs for connections: on each device one protection domain for all, and for each queue pair two completion queues with channels,
/// as librdmacm makes them. Thread-safe.
final class CmtimePairs implements AutoCloseable {
    private final Map<String, ProtectionDomain> domains = new ConcurrentHashMap<>();

    /// A queue pair and its completion queues.
    static final class Pair implements AutoCloseable {
        private final Identifier identifier;
        private final CompletionQueue sends;
        private final CompletionQueue receives;
        private final QueuePair queuePair;
        private final boolean iwarp;

        private Pair(Identifier identifier, ProtectionDomain domain) {
            this.identifier = identifier;
            Context context = domain.context();
            iwarp = context.device().nodeType().equals(NodeType.RNIC);
            sends = queue(context);
            receives = queue(context);
            queuePair = domain.reliableConnection(sends)
                    .receiveCompletionQueue(receives)
                    .maxSends(1)
                    .maxReceives(1)
                    .create();
            queuePair.modify(identifier.attributes(QueuePairState.INIT));
        }

        private static CompletionQueue queue(Context context) {
            return context.createCompletionQueue(
                    CompletionQueueOptions.entries(1).withChannel(context.createCompletionChannel()));
        }

        int number() {
            return queuePair.number();
        }

        void toReadyToSend() {
            if (!iwarp) {
                queuePair.modify(identifier.attributes(QueuePairState.INIT));
                queuePair.modify(identifier.attributes(QueuePairState.RTR));
                queuePair.modify(identifier.attributes(QueuePairState.RTS));
            }
        }

        /// Stops the queue pair before its connection ends.
        void stop() {
            queuePair.modify(
                    QueuePairAttributes.builder().state(iwarp ? QueuePairState.SQD : QueuePairState.ERR).build());
        }

        @Override
        public void close() {
            queuePair.close();
            close(receives);
            close(sends);
        }

        private static void close(CompletionQueue queue) {
            var channel = queue.channel();
            queue.close();
            if (channel != null) {
                channel.close();
            }
        }
    }

    /// Creates a queue pair in INIT.
    Pair create(Identifier identifier) {
        String guid = Long.toHexString(identifier.addresses().nodeGuid());
        ProtectionDomain domain = domains.computeIfAbsent(
                guid, name -> identifier.device().orElseThrow().open().allocateProtectionDomain());
        return new Pair(identifier, domain);
    }

    /// Closes the devices with all that is on them.
    @Override
    public void close() {
        domains.values().forEach(domain -> domain.context().close());
    }
}
