// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.tools.common.ToolException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Passes completions to a ping-pong until it is finished, or no completion arrives within the timeout.
///
/// @param queue the completion queue
/// @param atATime maximum number of completions of one poll
/// @param game handles each completion
record CompletionDispatcher(CompletionQueue queue, int atATime, CompletionHandler game) {
    /// Timeout for the peer. C waits indefinitely. But a peer may end when it is its turn to send, and a reliable
    /// connection reports failures only of outstanding work.
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /// Runs the ping-pong. Allocates nothing after its start.
    ///
    /// @param events whether to sleep until events report completions, instead of polling
    /// @param unfinished whether the ping-pong is unfinished
    /// @param progress describes the progress, for the message of a timeout
    void run(boolean events, BooleanSupplier unfinished, Supplier<String> progress) {
        boolean finished = events ? sleep(unfinished) : poll(unfinished);
        if (!finished) {
            throw new ToolException(
                    "nothing arrived for " + TIMEOUT.toSeconds() + " s, after " + progress.get(),
                    "the peer has ended or is stopped, or has fewer iterations (-n)");
        }
    }

    /// Polls continuously, but yields the processor to other threads. On a machine with two processors, rxe itself
    /// needs one.
    private boolean poll(BooleanSupplier unfinished) {
        var pause = new PollPause(TIMEOUT);
        while (unfinished.getAsBoolean()) {
            if (queue.poll(atATime, game) > 0) {
                pause.progress();
            } else if (!pause.pause()) {
                return false;
            }
        }
        return true;
    }

    private boolean sleep(BooleanSupplier unfinished) {
        var wait = new EventWait(TIMEOUT);
        while (unfinished.getAsBoolean()) {
            if (!wait.await(queue, atATime, game)) {
                return false;
            }
        }
        return true;
    }
}
