// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.tools.ToolException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Hands completions to a game until it is over, or nothing has come for too long.
///
/// @param queue where they come from
/// @param atATime at most so many at once
/// @param game what to do with each
record CompletionDispatcher(CompletionQueue queue, int atATime, CompletionHandler game) {
    /// Time that the peer may keep silent. C waits for ever; but a peer that ends while it is its turn is noticed by nobody,
    /// since a reliable connection reports only on work that is under way.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Runs it. Allocates nothing once it runs.
    ///
    /// @param events whether to sleep until events report completions, instead of polling
    /// @param unfinished whether the game is not over yet
    /// @param progress how far the game has come, for the message if nothing happens any more
    void run(boolean events, BooleanSupplier unfinished, Supplier<String> progress) {
        boolean finished = events ? sleep(unfinished) : poll(unfinished);
        if (!finished) {
            throw new ToolException(
                    "nothing arrived for " + PATIENCE.toSeconds() + " s, after " + progress.get(),
                    "the peer has ended or is stopped, or was started with fewer iterations (-n)");
        }
    }

    /// Polls without pause, but leaving the processor to others that want it: on a machine with two of
    /// them, rxe's own work needs one.
    private boolean poll(BooleanSupplier unfinished) {
        var patience = new PollPause(PATIENCE);
        while (unfinished.getAsBoolean()) {
            if (queue.poll(atATime, game) > 0) {
                patience.progress();
            } else if (!patience.pause()) {
                return false;
            }
        }
        return true;
    }

    private boolean sleep(BooleanSupplier unfinished) {
        try {
            while (unfinished.getAsBoolean()) {
                if (queue.await(atATime, game, PATIENCE) == 0) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted while waiting for completions");
        }
    }
}
