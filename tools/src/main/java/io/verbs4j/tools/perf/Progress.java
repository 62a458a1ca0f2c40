// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.io.Console;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Shows the progress of a measurement on a terminal, once per second. The measuring thread only stores a number.
final class Progress implements AutoCloseable {
    private static final int MILLISECONDS = 1000;

    private final AtomicLong done = new AtomicLong();
    private final @Nullable Thread reporter;

    /// @param total total number of messages; 0 if unknown
    Progress(PrintWriter err, long total) {
        reporter = isTerminal()
                ? Thread.ofPlatform().daemon().start(() -> report(err, total))
                : null;
    }

    @SuppressWarnings("SystemConsoleNull") // NullAway has no model of it
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /// Sets the number of completed messages.
    void at(long count) {
        done.lazySet(count);
    }

    private void report(PrintWriter err, long total) {
        try {
            while (true) {
                Thread.sleep(MILLISECONDS);
                long count = done.get();
                err.print("\r" + count + " messages" + (total > 0 ? ", " + 100 * count / total + " %" : "") + " ");
                err.flush();
            }
        } catch (InterruptedException e) {
            err.print("\r                                        \r");
            err.flush();
        }
    }

    @Override
    public void close() {
        if (reporter != null) {
            reporter.interrupt();
            try {
                reporter.join(MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
