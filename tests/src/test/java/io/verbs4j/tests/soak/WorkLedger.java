// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import io.verbs4j.WorkCompletion;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// The outstanding work requests of one work queue. Each identifier is unique in the whole soak.
final class WorkLedger {
    /// The most requests of a queue under way, until their completions are polled.
    static final int SLOTS = 256;

    /// Judges a completion that the ledger has found to be due.
    interface Judge {
        /// @param slot slot of the request
        /// @param note the value recorded with it
        void completed(WorkCompletion completion, int slot, long note);
    }

    private static final long OCCUPIED = 1L << 62;
    private static final long SILENT = 1L << 63;

    private final int number;
    private final boolean ordered;
    private final Judge judge;
    private final Tally tally;
    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);
    private final AtomicLong loud = new AtomicLong();
    private final long[] notes = new long[SLOTS];
    /// Guarded by the work queue's lock.
    private int next;
    /// Guarded by the completion queue's lock; only of an ordered queue.
    private int last = -1;

    /// @param ordered whether the requests complete in the order in which they were posted
    WorkLedger(int number, boolean ordered, Judge judge, Tally tally) {
        this.number = number;
        this.ordered = ordered;
        this.judge = judge;
        this.tally = tally;
    }

    int number() {
        return number;
    }

    /// Returns the slot of the next request, or -1 if its former one is still under way.
    int free() {
        for (int tries = ordered ? 1 : SLOTS; tries > 0; tries--) {
            int slot = next & (SLOTS - 1);
            if (slots.get(slot) == 0) {
                return slot;
            }
            next += tries > 1 ? 1 : 0; // an unordered queue passes over what stays under way
        }
        return -1;
    }

    /// Notes the next request, whose slot is [#free()], and returns its identifier.
    long take(boolean signaled, long note) {
        int slot = next & (SLOTS - 1);
        long id = (long) number << 32 | next++;
        notes[slot] = note;
        slots.set(slot, id | OCCUPIED | (signaled ? 0 : SILENT));
        if (signaled) {
            loud.incrementAndGet();
        }
        return id;
    }

    /// Takes the last requests back: they were not posted.
    void takeBack(int count) {
        for (int i = 0; i < count; i++) {
            int slot = --next & (SLOTS - 1);
            if (slots.getAndSet(slot, 0) >= 0) {
                loud.decrementAndGet();
            }
        }
    }

    /// Notes a completion: it must be due, and the requests before it must have completed.
    void complete(WorkCompletion completion) {
        long id = completion.workRequestId();
        int sequence = (int) id;
        int slot = sequence & (SLOTS - 1);
        long there = slots.get(slot);
        if ((there & ~SILENT) != (id | OCCUPIED)) {
            throw new AssertionError("completion of request " + Long.toHexString(id)
                    + ", which has completed already or was never posted: " + completion);
        }
        if (ordered) {
            for (int before = last + 1; before != sequence; before++) {
                hasCompletedSilently(before, completion);
            }
            last = sequence;
        }
        long note = notes[slot];
        try {
            judge.completed(completion, slot, note);
        } finally {
            slots.set(slot, 0);
            if (there >= 0) {
                loud.decrementAndGet();
            }
        }
    }

    private void hasCompletedSilently(int sequence, WorkCompletion later) {
        int slot = sequence & (SLOTS - 1);
        if (slots.get(slot) != ((long) number << 32 | sequence | OCCUPIED | SILENT)) {
            throw new AssertionError("request " + sequence + " of queue " + number + " is lost: a later one completed, "
                    + later);
        }
        slots.set(slot, 0);
        tally.count(Tally.Item.SILENT);
    }

    /// Returns the number of requests that will have a completion of their own.
    long inFlight() {
        return loud.get();
    }

    /// Removes requests that will not complete, because their queue pair is closed, or was reset after all others had
    /// completed.
    ///
    /// @return the number of removed requests
    int forget() {
        int dropped = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (slots.getAndSet(slot, 0) != 0) {
                dropped++;
            }
        }
        loud.set(0);
        last = next - 1;
        return dropped;
    }
}
