// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// Receives completions from [CompletionQueue#poll(int, CompletionHandler)].
@FunctionalInterface
public interface CompletionHandler {
    /// Called once for each completion, in the queue's order, with the queue's lock held: it may post work, but must not
    /// poll the same queue, nor close it.
    ///
    /// @param completion valid only during the call, the object is used again
    void completed(WorkCompletion completion);
}
