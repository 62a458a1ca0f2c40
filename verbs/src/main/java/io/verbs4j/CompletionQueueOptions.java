// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Ranges;
import org.jspecify.annotations.Nullable;

/// Describes a completion queue to create. Immutable; start with [#entries(int)].
///
/// @param entries completions that the queue must hold
/// @param channel the channel on which the queue announces completions, or null
/// @param completionVector index of a completion vector, 0 to [Context#completionVectors()] - 1
/// @param singleThreaded whether the queue has no lock; the caller then ensures that one thread at a time polls
public record CompletionQueueOptions(
        int entries, @Nullable CompletionChannel channel, int completionVector, boolean singleThreaded) {

    /// Returns options for a thread-safe queue without a channel, on completion vector 0.
    ///
    /// @param entries completions that the queue must hold, at least 1
    public static CompletionQueueOptions entries(int entries) {
        return new CompletionQueueOptions(Ranges.check("entries", entries, 1, Integer.MAX_VALUE), null, 0, false);
    }

    /// Sets the channel on which the queue announces completions.
    public CompletionQueueOptions withChannel(CompletionChannel value) {
        return new CompletionQueueOptions(entries, value, completionVector, singleThreaded);
    }

    /// Sets the completion vector.
    public CompletionQueueOptions withCompletionVector(int value) {
        return new CompletionQueueOptions(entries, channel, value, singleThreaded);
    }

    /// Omits the lock. The caller must ensure that only one thread at a time polls.
    public CompletionQueueOptions withSingleThread() {
        return new CompletionQueueOptions(entries, channel, completionVector, true);
    }
}
