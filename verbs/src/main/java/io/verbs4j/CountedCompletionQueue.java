// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ForwardingCompletionQueue;
import io.verbs4j.spi.ProviderCompletionQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Counts the completions taken from a completion queue, for the management interface. This class replaces the
/// provider's queue only if that interface is on. A ring's indices wrap around, so they cannot yield the count.
final class CountedCompletionQueue extends ForwardingCompletionQueue {
    private static final VarHandle SHOWN;

    static {
        try {
            SHOWN = MethodHandles.lookup().findVarHandle(CountedCompletionQueue.class, "shown", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Completions that the polling thread has counted. Guarded by the queue's lock.
    private long taken;
    /// The same count, visible to all threads, as of the end of a batch.
    @SuppressWarnings("UnusedVariable") // by its handle
    private long shown;

    CountedCompletionQueue(ProviderCompletionQueue queue) {
        super(queue);
    }

    /// Returns the completions taken so far.
    long taken() {
        return (long) SHOWN.getOpaque(this);
    }

    @Override
    public boolean next(Completion completion) {
        boolean found = super.next(completion);
        if (found) {
            taken++;
        }
        return found;
    }

    @Override
    public void end() {
        super.end();
        SHOWN.setOpaque(this, taken);
    }
}
