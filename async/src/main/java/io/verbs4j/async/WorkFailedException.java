// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionRecord;

/// A work request completed with an error. The queue pair is then in ERR, and its other work completes as flushed.
public final class WorkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient CompletionRecord completion;

    WorkFailedException(CompletionRecord completion) {
        super(completion.toString());
        this.completion = completion;
    }

    /// Returns the completion, with its status.
    public CompletionRecord completion() {
        return completion;
    }
}
