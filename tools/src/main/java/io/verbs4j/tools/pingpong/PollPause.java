// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.time.Duration;

/// Pauses between two polls that found nothing: spins, then gives way to other threads, and gives up at last.
///
/// The spins are without [Thread#onSpinWait]: programs in C do without as well, and where a
/// virtual machine is emulated, its processor leaves the emulation's fast path at each.
public final class PollPause {
    /// Polls before the first yield, for who shares the processors with the peer and the kernel: a few microseconds, about what
    /// a message takes on fast hardware.
    private static final int FEW_SPINS = 64;
    /// For who measures how long a message takes: longer than a small one takes, and a fraction of what a large one takes, of
    /// which the kernel makes hundreds of packets.
    private static final long LATENCY_NANOS = 300_000;
    /// Pauses between two looks at the clock. When others want the processor, a pause can take milliseconds.
    private static final int CLOCK_INTERVAL = 1 << 8;

    private final int spins;
    private final long spinNanos;
    private final long patienceNanos;
    private int pauses;
    private long silentSince;
    private long silentNanos;

    /// A pause of a new wait.
    ///
    /// @param patience how long nothing may be found
    public PollPause(Duration patience) {
        this(patience, FEW_SPINS, Long.MAX_VALUE);
    }

    private PollPause(Duration patience, int spins, long spinNanos) {
        this.patienceNanos = patience.toNanos();
        this.spins = spins;
        this.spinNanos = spinNanos;
    }

    /// A pause for measuring latencies. A yield takes a microsecond or two, and who is late by so little may find that rxe's
    /// worker has gone to sleep since and must be woken, which takes ten times as long.
    ///
    /// @param patience how long nothing may be found
    public static PollPause ofLatency(Duration patience) {
        return new PollPause(patience, Integer.MAX_VALUE, LATENCY_NANOS);
    }

    /// Something was found: start over.
    public void progress() {
        pauses = 0;
        silentNanos = 0;
    }

    /// Pauses.
    ///
    /// @return false when nothing was found for too long
    @SuppressWarnings("ThreadPriorityCheck") // only the pace depends on the scheduler, not the outcome
    public boolean pause() {
        pauses++;
        if (pauses % CLOCK_INTERVAL == 0) {
            lookAtTheClock();
        }
        if (pauses > spins || silentNanos > spinNanos) {
            Thread.yield();
        }
        return silentNanos < patienceNanos;
    }

    private void lookAtTheClock() {
        long now = System.nanoTime();
        if (pauses == CLOCK_INTERVAL) {
            silentSince = now;
        } else if (pauses < 0) {
            pauses = CLOCK_INTERVAL; // after two thousand million pauses: keep the time, count anew
        }
        silentNanos = now - silentSince;
    }
}
