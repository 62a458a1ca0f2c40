// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.types.CompletionStatus;

/// A work request failed, and with it the ping-pong.
public final class FailedCompletion extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String likelyCause;

    /// A failure.
    ///
    /// @param status how it failed
    /// @param workRequestId which one
    public FailedCompletion(CompletionStatus status, long workRequestId) {
        super(PingPongReport.failure(status, workRequestId));
        this.likelyCause = status.likelyCause();
    }

    /// Returns what usually leads to this, in one sentence.
    public String likelyCause() {
        return likelyCause;
    }
}
