// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.lang.foreign.MemorySegment;

/// An exchange of messages that is ready to begin.
interface PingPongSession {
    /// Sends the first message of each queue pair. The client calls this.
    void start();

    /// Runs until all exchanges are done.
    ///
    /// @param events whether to sleep until events report completions, instead of polling
    /// @return the duration of the exchanges after the warm-up, in nanoseconds
    long run(boolean events);

    /// Runs the exchange as set by the options, and reports the result.
    ///
    /// @param message the buffer for sending and receiving
    /// @return whether it succeeded
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
