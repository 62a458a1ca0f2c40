// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;

/// The logger `io.verbs4j.cm`, a platform [System.Logger]. It reports events in threads that run in the background.
final class Log {
    static final System.Logger LOGGER = System.getLogger("io.verbs4j.cm");

    private static final long PAUSE_NANOS = 10_000_000;

    private Log() {}

    /// Reports that a background thread has failed to handle an event, and pauses. The pause avoids a busy loop if the
    /// failure is repeated. This method never throws, so that even an [Error] does not end the thread.
    static void survived(Object source, Throwable failure) {
        try {
            LOGGER.log(Level.WARNING, "cannot handle an event of " + source + "; continuing with the next", failure);
        } catch (Throwable _) {
            // There is no heap left for a report.
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
