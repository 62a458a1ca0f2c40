// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;

/// The exchange over one queue pair: whenever a send and a receive have completed, the next send goes out.
final class PingPongLoop extends ExchangeLoop {
    /// At most this many completions wait: one send, one receive.
    static final int AT_A_TIME = 2;

    private final Messages messages;
    private final int depth;
    private int receivesPosted;
    private int pending = Messages.RECEIVE_ID;

    /// @param warmUp exchanges before the clock starts
    /// @param iterations exchanges that it measures
    /// @param depth receives that are posted already, and are to be posted again when almost none is left
    PingPongLoop(CompletionQueue queue, Messages messages, int warmUp, int iterations, int depth) {
        super(queue, AT_A_TIME, warmUp, iterations);
        this.messages = messages;
        this.depth = depth;
        this.receivesPosted = depth;
    }

    /// Sends the first message: what the client does.
    @Override
    public void start() {
        pending = send(messages);
    }

    @Override
    void proceed(WorkCompletion completion, int id, boolean more) {
        pending &= ~id;
        if (more && pending == 0) {
            pending = send(messages);
        }
    }

    @Override
    void replenish() {
        receivesPosted--;
        if (receivesPosted <= 1) {
            receivesPosted += messages.receive(depth - receivesPosted);
            Messages.requireAll(receivesPosted, depth);
        }
    }
}
