// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.ToolException;

/// The exchange itself: whenever a send and a receive have completed, the next send goes out, until both have happened often
/// enough. Allocates nothing once it runs. For one thread.
final class PingPongLoop implements CompletionHandler, PingPongSession {
    /// At most this many completions wait: one send, one receive.
    static final int AT_A_TIME = 2;

    private final CompletionQueue queue;
    private final Messages messages;
    private final int warmUp;
    private final int iterations;
    private final int depth;
    private long start;
    private int sent;
    private int received;
    private int receivesPosted;
    private int pending = Messages.RECEIVE_ID;

    /// @param warmUp exchanges before the clock starts
    /// @param iterations exchanges that it measures
    /// @param depth receives that are posted already, and are to be posted again when almost none is left
    PingPongLoop(CompletionQueue queue, Messages messages, int warmUp, int iterations, int depth) {
        this.queue = queue;
        this.messages = messages;
        this.warmUp = warmUp;
        this.iterations = Math.addExact(warmUp, iterations);
        this.depth = depth;
        this.receivesPosted = depth;
    }

    /// Sends the first message: what the client does.
    @Override
    public void start() {
        send();
    }

    @Override
    public long run(boolean events) {
        start = System.nanoTime();
        new CompletionDispatcher(queue, AT_A_TIME, this).run(events, this::unfinished, this::progress);
        return System.nanoTime() - start;
    }

    private void send() {
        if (!messages.send()) {
            throw new ToolException("Couldn't post send: the send queue is full");
        }
        pending = Messages.RECEIVE_ID | Messages.SEND_ID;
    }

    private boolean unfinished() {
        return received < iterations || sent < iterations;
    }

    private String progress() {
        return received + " of " + iterations + " messages received and " + sent + " sent";
    }

    @Override
    public void completed(WorkCompletion completion) {
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
        pending &= ~id;
        if (sent < iterations && pending == 0) {
            send();
        }
    }

    private void replenish() {
        receivesPosted--;
        if (receivesPosted <= 1) {
            receivesPosted += messages.receive(depth - receivesPosted);
            Messages.requireAll(receivesPosted, depth);
        }
    }
}
