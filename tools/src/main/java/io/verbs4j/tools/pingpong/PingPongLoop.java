// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.ToolException;
import java.time.Duration;

/// The exchange itself: whenever a send and a receive have completed, the next send goes out, until both have happened often
/// enough. Allocates nothing once it runs. For one thread.
final class PingPongLoop implements CompletionHandler {
    /// At most this many completions wait: one send, one receive.
    static final int AT_A_TIME = 2;
    /// How long the peer may keep silent. C waits for ever; but a peer that ends while it is its turn is noticed by nobody,
    /// since a reliable connection tells only about work that is under way.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

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
    void start() {
        send();
    }

    /// Runs to the end.
    ///
    /// @param events whether to sleep until events tell of completions, instead of polling
    /// @return how long the exchanges behind the warm-up took, in nanoseconds
    long run(boolean events) {
        start = System.nanoTime();
        if (events) {
            sleep();
        } else {
            poll();
        }
        return System.nanoTime() - start;
    }

    private void send() {
        if (!messages.send()) {
            throw new ToolException("Couldn't post send: the send queue is full");
        }
        pending = Messages.RECEIVE_ID | Messages.SEND_ID;
    }

    /// Polls without pause, but leaving the processor to others that want it: on a machine with two of
    /// them, rxe's own work needs one.
    private void poll() {
        var patience = new PollPause(PATIENCE);
        while (unfinished()) {
            if (queue.poll(AT_A_TIME, this) > 0) {
                patience.progress();
            } else if (!patience.pause()) {
                throw silence();
            }
        }
    }

    private void sleep() {
        try {
            while (unfinished()) {
                if (queue.await(AT_A_TIME, this, PATIENCE) == 0) {
                    throw silence();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted while waiting for completions");
        }
    }

    private boolean unfinished() {
        return received < iterations || sent < iterations;
    }

    private ToolException silence() {
        return new ToolException(
                "nothing arrived for " + PATIENCE.toSeconds() + " s, after " + received + " of " + iterations
                        + " messages received and " + sent + " sent",
                "the peer has ended or is stopped, or was started with fewer iterations (-n)");
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
