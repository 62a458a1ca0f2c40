// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.pingpong.PollPause;
import java.time.Duration;

/// Waits for completions: by polling, giving way to others after a while, or by events.
final class CompletionWaiter {
    /// Time that the peer may keep silent. C waits for ever.
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int AT_A_TIME = 16;

    private final CompletionQueue queue;
    private final boolean events;
    private final Duration patience;
    private final PollPause pause;

    private CompletionWaiter(CompletionQueue queue, boolean events, Duration patience, PollPause pause) {
        this.queue = queue;
        this.events = events;
        this.patience = patience;
        this.pause = pause;
    }

    /// For one message at a time.
    static CompletionWaiter ofLatency(CompletionQueue queue, boolean events) {
        return new CompletionWaiter(queue, events, PATIENCE, PollPause.ofLatency(PATIENCE));
    }

    /// For many messages at a time.
    static CompletionWaiter ofBandwidth(CompletionQueue queue, boolean events) {
        return ofBandwidth(queue, events, PATIENCE);
    }

    /// @param patience how long there may be no completion
    static CompletionWaiter ofBandwidth(CompletionQueue queue, boolean events, Duration patience) {
        return new CompletionWaiter(queue, events, patience, new PollPause(patience));
    }

    static ToolException silence(String progress) {
        return new ToolException(
                "nothing came for " + PATIENCE.toSeconds() + " s, after " + progress,
                "the peer has ended or is stopped, or was started with other options");
    }

    /// Handles completions, if there are some.
    ///
    /// @return false if there were none for too long
    boolean poll(CompletionHandler handler) {
        if (events) {
            return sleep(handler);
        }
        if (queue.poll(AT_A_TIME, handler) > 0) {
            pause.progress();
            return true;
        }
        return pause.pause();
    }

    private boolean sleep(CompletionHandler handler) {
        try {
            return queue.await(AT_A_TIME, handler, patience) > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted while waiting for completions");
        }
    }
}
