// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;

/// Completions taken one by one: `try (var batch = queue.beginPoll()) { while (batch.next()) … batch.current() … }`.
///
/// A batch covers at least the completions that were in the queue when the batch began. The batch holds the queue's
/// lock, and belongs to the thread that began it. With some drivers, only [#close()] returns the slots of the taken
/// completions to the device. Therefore, a program that posts work within a batch needs a queue with room for the taken
/// completions and for the completions of the new work. [CompletionQueue#poll] needs less room, because it returns
/// slots before it calls the handler.
public final class CompletionBatch implements AutoCloseable {
    /// Completions that are fetched for a handler before their slots are returned.
    private static final int FETCHED_AT_ONCE = 16;

    private final CompletionQueue queue;
    private final ProviderCompletionQueue ops;
    private final Completion completion = new Completion();
    private final WorkCompletion current = new WorkCompletion(completion);
    private final BatchLock lock;
    private final Completion[] fetched = new Completion[FETCHED_AT_ONCE];
    private final WorkCompletion[] views = new WorkCompletion[FETCHED_AT_ONCE];
    /// Index of the first fetched completion that was not passed to a handler. Completions remain if a handler has
    /// thrown.
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
    /// @return false if the batch has no more completions
    /// @throws IllegalStateException if this thread has no batch of the queue open
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

    /// Passes completions to a handler. Returns their slots first, because the handler may post work whose completions
    /// need room.
    ///
    /// @param max at least 1
    /// @return the number of completions
    int handTo(CompletionHandler handler, int max) {
        while (taken < max && (first < end || fetch(max - taken))) {
            taken++;
            handler.completed(views[first++]);
        }
        return taken;
    }

    /// Fetches completions, and returns their slots.
    ///
    /// @param max at least 1
    /// @return false if there are none
    private boolean fetch(int max) {
        lock.requireHere();
        first = 0;
        end = 0; // if the ring is lost meanwhile, no completion was fetched
        end = ops.next(fetched, Math.min(max, FETCHED_AT_ONCE));
        if (end == 0) {
            return false;
        }
        ops.end();
        return true;
    }

    /// Returns the completion that [#next()] has moved to. The object is the same each time; [#next()] overwrites it.
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
