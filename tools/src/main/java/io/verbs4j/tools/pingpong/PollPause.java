// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.time.Duration;

/// What to do between two polls that found nothing: spin a little, then give way to other threads, and give up at last.
public final class PollPause {
    /// Polls before the first yield: a few microseconds, about what a message takes on fast hardware.
    private static final int SPINS = 64;
    /// Pauses between two looks at the clock. When others want the processor, a pause can take milliseconds.
    private static final int CLOCK_INTERVAL = 1 << 8;

    private final long patienceNanos;
    private int pauses;
    private long silentSince;

    /// A pause of a new wait.
    ///
    /// @param patience how long nothing may be found
    public PollPause(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    /// Something was found: start over.
    public void progress() {
        pauses = 0;
    }

    /// Pauses.
    ///
    /// @return false when nothing was found for too long
    @SuppressWarnings("ThreadPriorityCheck") // only the pace depends on the scheduler, not the outcome
    public boolean pause() {
        pauses++;
        if (pauses <= SPINS) {
            Thread.onSpinWait();
            return true;
        }
        Thread.yield();
        return pauses % CLOCK_INTERVAL != 0 || isPatient();
    }

    private boolean isPatient() {
        long now = System.nanoTime();
        if (pauses == CLOCK_INTERVAL) {
            silentSince = now;
        } else if (pauses < 0) {
            pauses = CLOCK_INTERVAL; // after two thousand million pauses: keep the time, count anew
        }
        return now - silentSince < patienceNanos;
    }
}
