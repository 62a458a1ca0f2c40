// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;

/// A completion queue and its channel.
final class Queue {
    /// A completion channel. DiSNI destroys a channel before its completion queues. Therefore the channel closes
    /// together with the last of these queues.
    static final class Channel {
        final CompletionChannel channel;
        private int queues;
        private boolean destroyed;

        Channel(CompletionChannel channel) {
            this.channel = channel;
        }

        synchronized void join() {
            queues++;
        }

        synchronized void leave() {
            queues--;
            closeIfUnused();
        }

        synchronized void destroy() {
            destroyed = true;
            closeIfUnused();
        }

        private void closeIfUnused() {
            if (destroyed && queues == 0) {
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
        channel.join();
    }

    void close() {
        queue.close();
        channel.leave();
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
