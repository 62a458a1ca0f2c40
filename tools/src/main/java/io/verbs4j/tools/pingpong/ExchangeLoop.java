// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.common.ToolException;

/// Exchanges messages over one or several queue pairs, and counts completions until enough messages are sent and
/// received. Allocates nothing after its start. Not thread-safe.
abstract class ExchangeLoop implements CompletionHandler, PingPongSession {
    private final CompletionQueue queue;
    private final int atATime;
    private final int warmUp;
    private final long iterations;
    private long start;
    private long sent;
    private long received;

    /// @param atATime maximum number of completions that are pending at the same time
    /// @param warmUp number of exchanges before the measurement
    /// @param iterations number of measured exchanges
    ExchangeLoop(CompletionQueue queue, int atATime, int warmUp, int iterations) {
        this.queue = queue;
        this.atATime = atATime;
        this.warmUp = warmUp;
        this.iterations = (long) warmUp + iterations;
    }

    /// Posts receives again when few are left.
    abstract void replenish();

    /// Sends the next message of a queue pair if none of its work requests is outstanding.
    ///
    /// @param id identifier of the completed work request, [Messages#SEND_ID] or [Messages#RECEIVE_ID]
    /// @param more whether another message is needed
    abstract void proceed(WorkCompletion completion, int id, boolean more);

    @Override
    public final long run(boolean events) {
        start = System.nanoTime();
        new CompletionDispatcher(queue, atATime, this).run(events, this::unfinished, this::progress);
        return System.nanoTime() - start;
    }

    private boolean unfinished() {
        return received < iterations || sent < iterations;
    }

    private String progress() {
        return received + " of " + iterations + " messages received and " + sent + " sent";
    }

    /// Sends a message.
    ///
    /// @return the outstanding work requests
    static int send(Messages messages) {
        if (!messages.send()) {
            throw new ToolException("Couldn't post send: the send queue is full");
        }
        return Messages.RECEIVE_ID | Messages.SEND_ID;
    }

    @Override
    public final void completed(WorkCompletion completion) {
        int id = (int) completion.workRequestId();
        if (!completion.isSuccess()) {
            throw new FailedCompletion(completion.status(), id);
        }
        switch (id) {
            case Messages.SEND_ID -> sent++;
            case Messages.RECEIVE_ID -> {
                received++;
                if (received == warmUp) {
                    start = System.nanoTime();
                }
                replenish();
            }
            default -> throw new ToolException("Completion for unknown wr_id " + id);
        }
        proceed(completion, id, sent < iterations);
    }
}
