// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Pauses between two polls that found nothing: spins, then gives way to other threads, and gives up at last.
///
/// The spins are without [Thread#onSpinWait]: programs in C do without as well, and where a
/// virtual machine is emulated, its processor leaves the emulation's fast path at each.
public final class PollPause {
    /// Polls before the first yield, for who shares the processors with the peer and the kernel: a few microseconds, about what
    /// a message takes on fast hardware.
    private static final int FEW_SPINS = 64;
    /// Time between two clock reads, roughly, and until the first one. It is longer than the round trip of a small message on
    /// any machine, so that such a wait reads no clock: where that is a system call, a message that arrives meanwhile is seen
    /// up to 20 us late. It is a fraction of the time of a large message, of which the kernel makes hundreds of packets.
    private static final long LOOK_NANOS = 200_000;
    /// Where latencies are measured, yields begin at the second clock read.
    private static final long LATENCY_NANOS = LOOK_NANOS / 2;
    /// Pauses between two looks at least. When others want the processor, a pause can take milliseconds.
    static final int FEWEST_PAUSES = 1 << 8;
    private static final int MOST_PAUSES = 1 << 16;

    private final int spins;
    private final long spinNanos;
    private final long patienceNanos;
    private final LongSupplier clock;
    private int pauses;
    /// As many as the time between two looks takes, learned from the looks before.
    private int pausesPerLook = FEWEST_PAUSES;
    private int pausesToLook = FEWEST_PAUSES;
    private int looks;
    private long silentSince;
    private long lastLook;
    private long silentNanos;

    /// A pause of a new wait.
    ///
    /// @param patience how long nothing may be found
    public PollPause(Duration patience) {
        this(patience, FEW_SPINS, Long.MAX_VALUE, System::nanoTime);
    }

    private PollPause(Duration patience, int spins, long spinNanos, LongSupplier clock) {
        this.patienceNanos = patience.toNanos();
        this.spins = spins;
        this.spinNanos = spinNanos;
        this.clock = clock;
    }

    /// A pause for measuring latencies. A yield takes a microsecond or two, and who is late by so little may find that rxe's
    /// worker has gone to sleep since and must be woken, which takes ten times as long.
    ///
    /// @param patience how long nothing may be found
    public static PollPause ofLatency(Duration patience) {
        return ofLatency(patience, System::nanoTime);
    }

    /// @param clock nanoseconds
    static PollPause ofLatency(Duration patience, LongSupplier clock) {
        return new PollPause(patience, Integer.MAX_VALUE - 1, LATENCY_NANOS, clock);
    }

    /// Something was found: start over. A wait of spins with a single clock read tells only that the interval is too short.
    public void progress() {
        if (looks == 1 && pauses <= spins) {
            pausesPerLook = Math.min(2 * pausesPerLook, MOST_PAUSES);
        }
        pauses = 0;
        pausesToLook = pausesPerLook;
        looks = 0;
        silentNanos = 0;
    }

    /// Pauses.
    ///
    /// @return false when nothing was found for too long
    @SuppressWarnings("ThreadPriorityCheck") // only the pace depends on the scheduler, not the outcome
    public boolean pause() {
        if (pauses <= spins) {
            pauses++;
        }
        if (--pausesToLook == 0) {
            lookAtTheClock();
        }
        if (pauses > spins || silentNanos > spinNanos) {
            Thread.yield();
        }
        return silentNanos < patienceNanos;
    }

    private void lookAtTheClock() {
        long now = clock.getAsLong();
        if (looks++ > 0) {
            silentNanos = now - silentSince;
            long passed = Math.max(1, now - lastLook);
            // A yield may take a thousand times as long as the spins that were counted.
            int most = silentNanos > spinNanos ? FEWEST_PAUSES : MOST_PAUSES;
            pausesPerLook = Math.clamp(pausesPerLook * LOOK_NANOS / passed, FEWEST_PAUSES, most);
        } else {
            silentSince = now;
        }
        lastLook = now;
        pausesToLook = pausesPerLook;
    }
}
