// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.RingReading;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Counts what is taken from a completion queue, for the management interface. Stands in for the provider's queue only if that
/// is on: a ring's indices do not tell how often they have come round.
final class CountedCompletionQueue extends ProviderCompletionQueue {
    private static final VarHandle SHOWN;

    static {
        try {
            SHOWN = MethodHandles.lookup().findVarHandle(CountedCompletionQueue.class, "shown", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ProviderCompletionQueue queue;
    /// What the polling thread has counted, under the queue's lock.
    private long taken;
    /// The same for everybody, as of the end of a batch.
    @SuppressWarnings("UnusedVariable") // by its handle
    private long shown;

    CountedCompletionQueue(ProviderCompletionQueue queue) {
        this.queue = queue;
    }

    /// Completions taken so far.
    long taken() {
        return (long) SHOWN.getOpaque(this);
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
        boolean found = queue.next(completion);
        if (found) {
            taken++;
        }
        return found;
    }

    @Override
    public void end() {
        queue.end();
        SHOWN.setOpaque(this, taken);
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {
        queue.requestNotification(solicitedOnly);
    }

    @Override
    public @Nullable RingReading readRing() {
        return queue.readRing();
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
    public EventCounts destroy() {
        return queue.destroy();
    }
}
