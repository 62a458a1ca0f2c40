// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// Receives completions from [CompletionQueue#poll(int, CompletionHandler)].
@FunctionalInterface
public interface CompletionHandler {
    /// Handles one completion. Called in the queue's order, with the queue's lock held. It may post work, but must
    /// neither poll the same queue nor close it.
    ///
    /// @param completion valid only during the call; the object is reused
    void completed(WorkCompletion completion);
}
