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

/// Queue pairs for connections. As in C's cmtime, each device has one protection domain and two completion queues with
/// channels for all of them. Nothing is posted, so nothing completes. Thread-safe.
final class CmtimePairs implements AutoCloseable {
    private final Map<String, Shared> devices = new ConcurrentHashMap<>();

    /// A device with the objects that its queue pairs share.
    record Shared(ProtectionDomain domain, CompletionQueue sends, CompletionQueue receives) {
        private static Shared on(Context context) {
            return new Shared(context.allocateProtectionDomain(), queue(context), queue(context));
        }

        private static CompletionQueue queue(Context context) {
            return context.createCompletionQueue(
                    CompletionQueueOptions.entries(1).withChannel(context.createCompletionChannel()));
        }
    }

    /// A queue pair and its identifier.
    static final class Pair implements AutoCloseable {
        private final Identifier identifier;
        private final QueuePair queuePair;
        private final boolean iwarp;

        private Pair(Identifier identifier, Shared shared) {
            this.identifier = identifier;
            iwarp = shared.domain().context().device().nodeType().equals(NodeType.RNIC);
            queuePair = shared.domain()
                    .reliableConnection(shared.sends())
                    .receiveCompletionQueue(shared.receives())
                    .maxSends(1)
                    .maxReceives(1)
                    .create();
            try {
                queuePair.modify(identifier.attributes(QueuePairState.INIT));
            } catch (RuntimeException | Error e) {
                queuePair.close();
                throw e;
            }
        }

        int number() {
            return queuePair.number();
        }

        void toReadyToSend() {
            if (!iwarp) {
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
        }
    }

    /// Returns the device of an identifier, and opens it unless it is open.
    Shared shared(Identifier identifier) {
        String guid = Long.toHexString(identifier.addresses().nodeGuid());
        return devices.computeIfAbsent(
                guid, name -> Shared.on(identifier.requireDevice().open()));
    }

    /// Creates a queue pair in INIT.
    static Pair create(Identifier identifier, Shared shared) {
        return new Pair(identifier, shared);
    }

    /// Closes the devices with all their objects.
    @Override
    public void close() {
        devices.values().forEach(shared -> shared.domain().context().close());
    }
}
