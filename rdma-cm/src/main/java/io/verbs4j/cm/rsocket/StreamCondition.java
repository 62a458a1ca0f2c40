// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import org.jspecify.annotations.Nullable;

/// What is known of the peer and the connection: whether more may come, whether anything may be sent, why not. Guarded by the socket's
/// lock.
final class StreamCondition {
    private boolean ended;
    private boolean closed;
    private @Nullable String failure;
    private int failureNumber;

    /// Takes a control message of the peer.
    void control(int value) {
        closed |= value == StreamMessage.DISCONNECT;
        ended |= value == StreamMessage.DISCONNECT || value == StreamMessage.SHUTDOWN;
    }

    /// Notes why the stream cannot go on; the first reason counts.
    void fail(int number, String reason) {
        if (failure == null) {
            failureNumber = number;
            failure = reason;
        }
    }

    /// Returns true if the peer sends no more.
    boolean hasEnded() {
        return ended;
    }

    /// Returns true while messages can be sent.
    boolean isSound() {
        return failure == null && !closed;
    }

    void requireSound(String operation) {
        if (failure != null) {
            throw new VerbsException(operation, failureNumber, failure);
        }
    }

    void requireWritable(String operation) {
        if (closed) {
            throw new VerbsException(operation, Errno.EPIPE, "the peer has closed");
        }
        requireSound(operation);
    }
}
