// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Pauses between unsuccessful polls: spins first, then yields to other threads, and finally gives up.
///
/// Spins without [Thread#onSpinWait]. Programs in C do the same, and in an emulated virtual machine, the instruction
/// leaves the emulator's fast path.
public final class PollPause {
    /// Number of polls before the first yield, if the processors are shared with the peer and the kernel. They take a
    /// few microseconds, about as long as a message on fast hardware.
    private static final int FEW_SPINS = 64;
    /// Approximate time between two clock reads, and before the first one. It is longer than the round trip of a small
    /// message on any machine, so that such a wait reads no clock. Where reading the clock is a system call, a message
    /// that arrives meanwhile is seen up to 20 us late. It is a fraction of the time of a large message, from which the
    /// kernel makes hundreds of packets.
    private static final long LOOK_NANOS = 200_000;
    /// When measuring latencies, yields begin at the second clock read.
    private static final long LATENCY_NANOS = LOOK_NANOS / 2;
    /// Minimum number of pauses between two clock reads. If other threads need the processor, a pause can take
    /// milliseconds.
    static final int MIN_PAUSES = 1 << 8;
    private static final int MAX_PAUSES = 1 << 16;

    private final int spins;
    private final long spinNanos;
    private final long timeoutNanos;
    private final LongSupplier clock;
    private final Runnable yielding;
    private int pauses;
    /// Number of pauses between two clock readings, adapted to their measured duration.
    private int pausesPerLook = MIN_PAUSES;
    private int pausesToLook = MIN_PAUSES;
    private int looks;
    private long silentSince;
    private long lastLook;
    private long silentNanos;

    /// Creates the pauses of a new wait.
    ///
    /// @param timeout the timeout
    public PollPause(Duration timeout) {
        this(timeout, FEW_SPINS, Long.MAX_VALUE, System::nanoTime, Thread::yield);
    }

    private PollPause(Duration timeout, int spins, long spinNanos, LongSupplier clock, Runnable yielding) {
        this.timeoutNanos = timeout.toNanos();
        this.spins = spins;
        this.spinNanos = spinNanos;
        this.clock = clock;
        this.yielding = yielding;
    }

    /// Creates pauses for measuring latencies. A yield takes a microsecond or two. After such a delay, rxe's worker may
    /// have fallen asleep, and waking it takes ten times as long.
    ///
    /// @param timeout the timeout
    public static PollPause ofLatency(Duration timeout) {
        return ofLatency(timeout, System::nanoTime, Thread::yield);
    }

    /// @param clock returns nanoseconds
    /// @param yielding gives the processor to another thread
    static PollPause ofLatency(Duration timeout, LongSupplier clock, Runnable yielding) {
        return new PollPause(timeout, Integer.MAX_VALUE - 1, LATENCY_NANOS, clock, yielding);
    }

    /// Restarts the wait after a successful poll. If a wait of spins has read the clock only once, the interval is too
    /// short, and is doubled.
    public void progress() {
        if (looks == 1 && pauses <= spins) {
            pausesPerLook = Math.min(2 * pausesPerLook, MAX_PAUSES);
        }
        pauses = 0;
        pausesToLook = pausesPerLook;
        looks = 0;
        silentNanos = 0;
    }

    /// Pauses.
    ///
    /// @return false after the timeout
    public boolean pause() {
        if (pauses <= spins) {
            pauses++;
        }
        if (--pausesToLook == 0) {
            lookAtTheClock();
        }
        if (pauses > spins || silentNanos > spinNanos) {
            yielding.run();
        }
        return silentNanos < timeoutNanos;
    }

    private void lookAtTheClock() {
        long now = clock.getAsLong();
        if (looks++ > 0) {
            silentNanos = now - silentSince;
            long passed = Math.max(1, now - lastLook);
            // A yield may take a thousand times as long as the spins counted so far.
            int most = silentNanos > spinNanos ? MIN_PAUSES : MAX_PAUSES;
            pausesPerLook = Math.clamp(pausesPerLook * LOOK_NANOS / passed, MIN_PAUSES, most);
        } else {
            silentSince = now;
        }
        lastLook = now;
        pausesToLook = pausesPerLook;
    }
}
