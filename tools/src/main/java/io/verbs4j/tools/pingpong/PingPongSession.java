// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.lang.foreign.MemorySegment;

/// An exchange of messages that is ready to begin.
interface PingPongSession {
    /// Sends the first message, or messages: what the client does.
    void start();

    /// Runs to the end.
    ///
    /// @param events whether to sleep until events report completions, instead of polling
    /// @return how long the exchanges behind the warm-up took, in nanoseconds
    long run(boolean events);

    /// Plays as the options say, and reports.
    ///
    /// @param message the buffer that is sent and received
    /// @return whether all went well
    default boolean play(PingPongOptions options, Console console, MemorySegment message) {
        boolean client = options.host() != null;
        if (client) {
            if (options.check()) {
                PingPongPattern.mark(message);
            }
            start();
        }
        long nanoseconds = run(options.events());
        console.print(PingPongReport.bandwidth(options.size(), options.iterations(), nanoseconds));
        console.print(PingPongReport.latency(options.iterations(), nanoseconds));
        return client || !options.check() || isValid(console, message);
    }

    private static boolean isValid(Console console, MemorySegment message) {
        var wrong = PingPongPattern.unmarkedPages(message);
        wrong.forEach(page -> console.print("invalid data in page " + page));
        return wrong.isEmpty();
    }
}
