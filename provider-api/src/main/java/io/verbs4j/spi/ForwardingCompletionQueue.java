// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A completion queue that wraps another one to observe it. This class forwards every call that a subclass does not
/// override.
public abstract class ForwardingCompletionQueue extends ProviderCompletionQueue {
    private final ProviderCompletionQueue queue;

    /// @param queue the wrapped queue
    protected ForwardingCompletionQueue(ProviderCompletionQueue queue) {
        this.queue = queue;
    }

    @Override
    public final ProviderCompletionQueue unwrapped() {
        return queue.unwrapped();
    }

    @Override
    public int handle() {
        return queue.handle();
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public int begin() {
        return queue.begin();
    }

    @Override
    public boolean next(Completion completion) {
        return queue.next(completion);
    }

    @Override
    public void end() {
        queue.end();
    }

    @Override
    public @Nullable RingReading readRing() {
        return queue.readRing();
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {
        queue.requestNotification(solicitedOnly);
    }

    @Override
    public void eventTaken() {
        queue.eventTaken();
    }

    @Override
    public void onOwnCompletions(Runnable announcement) {
        queue.onOwnCompletions(announcement);
    }

    @Override
    public void resize(int entries) {
        queue.resize(entries);
    }

    @Override
    public void forget(ProviderQueuePair queuePair) {
        queue.forget(queuePair);
    }

    @Override
    public void destroy() {
        queue.destroy();
    }
}
