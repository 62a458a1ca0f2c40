// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;

/// Completions taken one by one: `try (var batch = queue.beginPoll()) { while (batch.next()) … batch.current() … }`.
///
/// Sees what waited when it began. Holds the queue's lock until it is closed; the slots of the taken completions go
/// back to the device then, all at once. So a program that posts work within a batch needs a queue with room for what
/// is taken and for what the new work leads to; [CompletionQueue#poll] gives the slots back before it calls the
/// handler. Belongs to the thread that began it.
public final class CompletionBatch implements AutoCloseable {
    /// Completions that are fetched for a handler before their slots go back.
    private static final int FETCHED_AT_ONCE = 16;

    private final CompletionQueue queue;
    private final ProviderCompletionQueue ops;
    private final Completion completion = new Completion();
    private final WorkCompletion current = new WorkCompletion(completion);
    private final BatchLock lock;
    private final Completion[] fetched = new Completion[FETCHED_AT_ONCE];
    private final WorkCompletion[] views = new WorkCompletion[FETCHED_AT_ONCE];
    /// Of the fetched completions, those before `first` were handed over. Others are left if a handler has thrown.
    private int first;
    private int end;
    /// Completions of the open batch.
    private int taken;

    CompletionBatch(CompletionQueue queue, ProviderCompletionQueue ops, BatchLock lock) {
        this.queue = queue;
        this.ops = ops;
        this.lock = lock;
        for (int i = 0; i < FETCHED_AT_ONCE; i++) {
            fetched[i] = new Completion();
            views[i] = new WorkCompletion(fetched[i]);
        }
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
        if (first < end) {
            completion.set(fetched[first++]);
        } else if (!ops.next(completion)) {
            return false;
        }
        taken++;
        return true;
    }

    /// Hands completions to a handler. Their slots go back before: it may post, and the completions of that work need
    /// room.
    ///
    /// @param max at least 1
    /// @return how many
    int handTo(CompletionHandler handler, int max) {
        while (taken < max && (first < end || fetch(max - taken))) {
            taken++;
            handler.completed(views[first++]);
        }
        return taken;
    }

    /// Fetches completions, and gives their slots back.
    ///
    /// @param max at least 1
    /// @return false if there are none
    private boolean fetch(int max) {
        lock.requireHere();
        first = 0;
        end = 0; // if the ring is lost meanwhile, none was fetched
        end = ops.next(fetched, Math.min(max, FETCHED_AT_ONCE));
        if (end == 0) {
            return false;
        }
        ops.end();
        return true;
    }

    /// The completion that [#next()] moved to; the same object each time.
    public WorkCompletion current() {
        return current;
    }

    /// Gives the taken slots back to the device and releases the queue. Idempotent.
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
