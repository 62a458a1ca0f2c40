// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.types.Access;
import org.jspecify.annotations.Nullable;

/// One end of a ping-pong: creates the objects, finds the peer, exchanges the messages, and reports the duration. All
/// objects are closed in any case.
///
/// @param headerBytes size of the header before the message in a receive buffer
record PingPong(PingPongOptions options, int headerBytes, Console console) {
    /// Runs the ping-pong.
    ///
    /// @return whether it succeeded
    /// @throws FailedCompletion if a work request failed
    boolean run(Meeting meeting) {
        try (meeting; Context context = meeting.open()) {
            var domain = context.allocateProtectionDomain();
            var memory = domain.allocate(Math.addExact(headerBytes, options.size()), Access.LOCAL_WRITE);
            var channel = options.events() ? context.createCompletionChannel() : null;
            var queue = context.createCompletionQueue(queueOptions(channel));
            PingPongPattern.clear(memory.segment());
            Messages messages = meeting.meet(domain, queue, memory);
            var loop = new PingPongLoop(
                    queue, messages, options.warmUp(), options.iterations(), options.receiveDepth());
            return loop.play(options, console, memory.segment().asSlice(headerBytes));
        }
    }

    private CompletionQueueOptions queueOptions(@Nullable CompletionChannel channel) {
        var queue = CompletionQueueOptions.entries(options.receiveDepth() + DeviceLimits.OTHER_COMPLETIONS)
                .withSingleThread();
        return channel == null ? queue : queue.withChannel(channel);
    }
}
