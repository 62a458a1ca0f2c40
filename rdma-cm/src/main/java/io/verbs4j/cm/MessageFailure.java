// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.WorkCompletion;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The reason why no more messages can be exchanged.
///
/// @param errno the error number for threads that send and receive
/// @param text the cause, and the remedy if there is one
record MessageFailure(int errno, String text) {
    static final MessageFailure ENDED = new MessageFailure(Errno.ECONNRESET, "the connection has ended");
    static final MessageFailure CLOSED = new MessageFailure(Errno.ECONNRESET, "this end has closed the messages");
    static final MessageFailure FOREIGN = new MessageFailure(
            Errno.EPROTO,
            "the peer does not use this message protocol; set ConnectionOptions.withMessages there, or withPlainMessages at"
                    + " this end if the peer is a program in C");
    static final MessageFailure WRITTEN = new MessageFailure(
            Errno.EPROTO,
            "an RDMA write with immediate data has used a receive of the messages; the peer must write without"
                    + " immediate data");
    static final MessageFailure BAD_CREDITS =
            new MessageFailure(Errno.EPROTO,
                    "the peer announces more credits than it has receives; both ends need the same count");

    /// Statuses of a message that is longer than the receive, reported at either end.
    private static final Set<CompletionStatus> TOO_LONG = Set.of(
            CompletionStatus.LOCAL_LENGTH_ERROR,
            CompletionStatus.LOCAL_QP_OPERATION_ERROR,
            CompletionStatus.REMOTE_INVALID_REQUEST,
            CompletionStatus.REMOTE_OPERATION_ERROR);

    /// Returns the failure for a failed completion.
    static MessageFailure of(WorkCompletion completion) {
        CompletionStatus status = completion.status();
        if (status.equals(CompletionStatus.WORK_REQUEST_FLUSHED)) {
            return ENDED;
        }
        String hint = TOO_LONG.contains(status) ? "; both ends need the same message length" : "";
        return new MessageFailure(Errno.ECONNRESET, completion + hint);
    }

    /// Returns the failure for a refused post.
    static MessageFailure of(RuntimeException refusal) {
        return new MessageFailure(Errno.ECONNRESET, String.valueOf(refusal.getMessage()));
    }

    /// Returns whether the failure only reports that the queue pair has ended, without a cause.
    @SuppressWarnings("ReferenceEquality") // one object
    boolean isFlush() {
        return this == ENDED;
    }

    /// Returns the exception for a message that could not be sent in time.
    ///
    /// @param credits number of messages that the peer has room for
    /// @param outstanding number of sent messages that have not completed
    /// @param composed number of messages that the program has composed and not sent
    static VerbsException unsent(int credits, int outstanding, int composed) {
        String cause;
        if (composed > 0 && outstanding == 0) {
            cause = "this program holds "
                    + (composed == 1 ? "a composed message; send or close it"
                            : composed + " composed messages; send or close them");
        } else if (credits == 0) {
            cause = "the peer's program has not taken any earlier message within the timeout";
        } else {
            cause = "the peer has posted no receive for "
                    + (outstanding == 1 ? "the outstanding message" : "the " + outstanding + " outstanding messages");
        }
        return new VerbsException("send message", Errno.ETIMEDOUT, cause);
    }

    /// Returns the exception for ending a connection whose messages may be lost.
    static VerbsException undelivered(int count, @Nullable MessageFailure reason) {
        return new VerbsException("deliver messages", Errno.ECONNRESET,
                (count == 1 ? "the last message" : "the last " + count + " messages")
                        + " that this end sent may not have reached the peer: "
                        + (reason == null ? "the peer had no receive for " + (count == 1 ? "it" : "them") + " in time"
                                : reason.text()));
    }

    VerbsException exception() {
        return new VerbsException("exchange messages", errno, text);
    }
}
