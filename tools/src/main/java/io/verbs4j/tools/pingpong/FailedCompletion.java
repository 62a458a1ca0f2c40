// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.types.CompletionStatus;

/// Thrown when a work request fails, which ends the ping-pong.
public final class FailedCompletion extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String likelyCause;

    /// Creates an exception.
    ///
    /// @param status the status of the completion
    /// @param workRequestId identifier of the work request
    public FailedCompletion(CompletionStatus status, long workRequestId) {
        super(PingPongReport.failure(status, workRequestId));
        this.likelyCause = status.likelyCause();
    }

    /// Returns the usual cause, in one sentence.
    public String likelyCause() {
        return likelyCause;
    }
}
