// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// Receives completions from [CompletionQueue#poll(int, CompletionHandler)].
@FunctionalInterface
public interface CompletionHandler {
    /// Handles one completion. The queue passes completions in their order, and holds its lock during the call. The
    /// handler may post work, but must neither poll nor close the same queue.
    ///
    /// @param completion valid only during the call; the object is reused
    void completed(WorkCompletion completion);
}
