// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import java.util.HashSet;
import java.util.Set;

/// A completion queue and its channel.
final class Queue {
    /// A completion channel. DiSNI destroys a channel before its completion queues. Therefore the channel closes
    /// together with the last of these queues.
    static final class Channel {
        final CompletionChannel channel;
        private final Set<Queue> queues = new HashSet<>(); // guarded by this
        private boolean destroyed; // guarded by this

        Channel(CompletionChannel channel) {
            this.channel = channel;
        }

        private synchronized void join(Queue queue) {
            queues.add(queue);
        }

        private synchronized void leave(Queue queue) {
            queues.remove(queue);
            closeIfUnused();
        }

        synchronized void destroy() {
            destroyed = true;
            closeIfUnused();
        }

        private void closeIfUnused() {
            if (destroyed && queues.isEmpty()) {
                channel.close();
            }
        }

        @Override
        public String toString() {
            return channel.toString();
        }
    }

    final CompletionQueue queue;
    private final Channel channel;

    Queue(CompletionQueue queue, Channel channel) {
        this.queue = queue;
        this.channel = channel;
        channel.join(this);
    }

    /// Closes the queue. Idempotent.
    void close() {
        queue.close();
        channel.leave(this);
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
