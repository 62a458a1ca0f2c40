// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.spi.Completion;
import java.util.ArrayDeque;

/// Completions of work requests that were posted after the kernel had flushed their queue pair's rings. Thread-safe.
/// While there are no such completions, a poll reads only one field.
final class FlushedWork {
    private final ArrayDeque<Work> waiting = new ArrayDeque<>(); // guarded by itself
    private volatile boolean some;

    private record Work(long workRequestId, int opcode, int queuePair) {}

    /// Returns whether a completion is waiting.
    boolean some() {
        return some;
    }

    /// Adds a completion.
    ///
    /// @param opcode siw's number
    void add(long workRequestId, int opcode, int queuePair) {
        synchronized (waiting) {
            waiting.add(new Work(workRequestId, opcode, queuePair));
            some = true;
        }
    }

    /// Drops the completions of a destroyed queue pair.
    void forget(int queuePair) {
        synchronized (waiting) {
            waiting.removeIf(work -> work.queuePair == queuePair);
            some = !waiting.isEmpty();
        }
    }

    /// Takes the oldest completion.
    ///
    /// @return false if there is none
    boolean next(Completion completion) {
        if (!some) {
            return false;
        }
        synchronized (waiting) {
            Work work = waiting.poll();
            some = !waiting.isEmpty();
            if (work == null) {
                return false;
            }
            FlaggedCompletionRing.flushed(completion, work.workRequestId, work.opcode, work.queuePair);
            return true;
        }
    }
}
