// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.device.EventFile;
import org.jspecify.annotations.Nullable;

/// Describes a completion queue to create.
///
/// @param entries completions that the queue must hold, at least 1
/// @param userHandle the queue's identifier in events
/// @param channel the channel for the queue's events, or null
/// @param completionVector index of the completion vector, below [ProviderContext#completionVectors()]
public record CompletionQueueRequest(
        int entries, long userHandle, @Nullable EventFile channel, int completionVector) {
    /// Returns the command that creates the queue.
    ///
    /// @param wanted the capacity to request, already rounded for the driver
    public CreateCompletionQueue.Request command(int wanted) {
        return new CreateCompletionQueue.Request(wanted, userHandle, channel, completionVector, 0);
    }
}
