// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionHandler;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.CompletionOpcode;
import org.jspecify.annotations.Nullable;

/// Keeps the completions of one poll until the queue's lock is released. Not thread-safe.
final class MessageCompletions implements CompletionHandler {
    /// Maximum number of completions of one poll.
    static final int MAX_COUNT = 16;
    /// Opcode of a receive that a write has used. Such a write leaves the memory of the receive unchanged.
    private static final int WRITTEN = CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE.value();

    private final long[] ids = new long[MAX_COUNT];
    private final int[] bytes = new int[MAX_COUNT];
    private final @Nullable MessageFailure[] failures = new MessageFailure[MAX_COUNT];
    private int count;

    @Override
    public void completed(WorkCompletion completion) {
        ids[count] = completion.workRequestId();
        bytes[count] = completion.byteLength();
        failures[count] = failure(completion);
        count++;
    }

    private static @Nullable MessageFailure failure(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            return MessageFailure.of(completion);
        }
        return completion.opcode() == WRITTEN ? MessageFailure.WRITTEN : null;
    }

    int count() {
        return count;
    }

    long id(int index) {
        return ids[index];
    }

    /// Returns the number of received bytes.
    int bytes(int index) {
        return bytes[index];
    }

    /// Returns the failure of a work request; null if it succeeded.
    @Nullable
    MessageFailure failure(int index) {
        return failures[index];
    }

    void clear() {
        count = 0;
    }
}
