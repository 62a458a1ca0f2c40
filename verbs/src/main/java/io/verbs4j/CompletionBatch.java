// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;

/// Completions taken one by one: `try (var batch = queue.beginPoll()) { while (batch.next()) … batch.current() … }`.
///
/// Sees what waited when it began. Holds the queue's lock until it is closed; the slots of the taken completions go back to the
/// device then, all at once. So a program that posts work within a batch needs a queue with room for what is taken and for what
/// the new work leads to; [CompletionQueue#poll] gives each slot back before it calls the handler. Belongs to the thread that
/// began it.
public final class CompletionBatch implements AutoCloseable {
    private final CompletionQueue queue;
    private final ProviderCompletionQueue ops;
    private final Completion completion;
    private final WorkCompletion current;
    private final BatchLock lock;
    /// Completions of the open batch.
    private int taken;

    CompletionBatch(CompletionQueue queue, ProviderCompletionQueue ops, Completion completion, BatchLock lock) {
        this.queue = queue;
        this.ops = ops;
        this.completion = completion;
        this.current = new WorkCompletion(completion);
        this.lock = lock;
    }

    /// The caller holds the queue's lock.
    void begin() {
        lock.requireIdle();
        ops.begin();
        lock.opened();
        taken = 0;
    }

    /// Moves to the next completion.
    ///
    /// @return false if no more waited when the batch began
    public boolean next() {
        lock.requireHere();
        return count(ops.next(completion));
    }

    /// As [#next()], but gives the slot back to the device at once.
    boolean take() {
        lock.requireHere();
        return count(ops.take(completion));
    }

    private boolean count(boolean found) {
        if (found) {
            taken++;
        }
        return found;
    }

    /// The completion that [#next()] moved to; the same object each time.
    public WorkCompletion current() {
        return current;
    }

    /// Gives the taken slots back to the device and releases the queue. Does nothing if it was done already.
    @Override
    public void close() {
        if (!lock.isHere()) {
            return;
        }
        try {
            ops.end();
            if (taken != 0 && FlightRecords.completions()) {
                FlightRecords.completions(ops.handle(), taken);
            }
        } finally {
            lock.closed();
            queue.endBatch();
        }
    }
}
