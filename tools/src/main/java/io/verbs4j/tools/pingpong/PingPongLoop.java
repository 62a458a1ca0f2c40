// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;

/// Exchanges messages over one queue pair: when a send and a receive have completed, sends the next message.
final class PingPongLoop extends ExchangeLoop {
    /// Maximum number of pending completions: one send and one receive.
    static final int AT_A_TIME = 2;

    private final Messages messages;
    private final int depth;
    private int receivesPosted;
    private int pending = Messages.RECEIVE_ID;

    /// @param warmUp number of exchanges before the measurement
    /// @param iterations number of measured exchanges
    /// @param depth number of receives that are posted before, and posted again when few are left
    PingPongLoop(CompletionQueue queue, Messages messages, int warmUp, int iterations, int depth) {
        super(queue, AT_A_TIME, warmUp, iterations);
        this.messages = messages;
        this.depth = depth;
        this.receivesPosted = depth;
    }

    /// Sends the first message. The client calls this.
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
