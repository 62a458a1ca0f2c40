// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Ranges;
import org.jspecify.annotations.Nullable;

/// Describes a completion queue to create. Immutable; start with [#entries(int)].
///
/// @param entries completions that the queue must hold
/// @param channel the channel on which the queue announces completions, or null
/// @param completionVector index of the device's completion vector, below [Context#completionVectors()]
/// @param singleThreaded whether the caller guarantees that one thread at a time polls; the queue then has no lock
public record CompletionQueueOptions(
        int entries, @Nullable CompletionChannel channel, int completionVector, boolean singleThreaded) {

    /// Returns options for a queue that is polled and is safe for many threads.
    ///
    /// @param entries completions that the queue must hold, at least 1
    public static CompletionQueueOptions entries(int entries) {
        return new CompletionQueueOptions(Ranges.check("entries", entries, 1, Integer.MAX_VALUE), null, 0, false);
    }

    /// Sets a channel for events.
    public CompletionQueueOptions withChannel(CompletionChannel value) {
        return new CompletionQueueOptions(entries, value, completionVector, singleThreaded);
    }

    /// Sets another completion vector.
    public CompletionQueueOptions withCompletionVector(int value) {
        return new CompletionQueueOptions(entries, channel, value, singleThreaded);
    }

    /// Omits the lock: one thread at a time polls.
    public CompletionQueueOptions withSingleThread() {
        return new CompletionQueueOptions(entries, channel, completionVector, true);
    }
}
