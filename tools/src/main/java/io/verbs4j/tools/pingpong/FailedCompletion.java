// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.types.CompletionStatus;

/// A work request failed, and with it the ping-pong.
final class FailedCompletion extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String likelyCause;

    FailedCompletion(CompletionStatus status, long workRequestId) {
        super(PingPongReport.failure(status, workRequestId));
        this.likelyCause = status.likelyCause();
    }

    /// What usually leads to this, in one sentence.
    String likelyCause() {
        return likelyCause;
    }
}
