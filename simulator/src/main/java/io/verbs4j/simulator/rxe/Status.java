// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.CompletionStatus;

/// Statuses of completions as numbers.
final class Status {
    static final int SUCCESS = CompletionStatus.SUCCESS.value();
    static final int LENGTH = CompletionStatus.LOCAL_LENGTH_ERROR.value();
    static final int OPERATION = CompletionStatus.LOCAL_QP_OPERATION_ERROR.value();
    static final int PROTECTION = CompletionStatus.LOCAL_PROTECTION_ERROR.value();
    static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSHED.value();
    static final int BIND = CompletionStatus.MEMORY_WINDOW_BIND_ERROR.value();
    static final int REMOTE_REQUEST = CompletionStatus.REMOTE_INVALID_REQUEST.value();
    static final int REMOTE_ACCESS = CompletionStatus.REMOTE_ACCESS_ERROR.value();
    static final int REMOTE_OPERATION = CompletionStatus.REMOTE_OPERATION_ERROR.value();
    static final int RETRIES = CompletionStatus.RETRY_EXCEEDED.value();
    static final int RNR_RETRIES = CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED.value();
    static final int FATAL = CompletionStatus.FATAL.value();

    private Status() {}
}
