// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import java.time.Instant;

/// Brings the stamps of captured packets to the time of a trace.
///
/// A capture of rxe has two clocks (`rxe_init_packet`, rxe_net.c): what arrives over veth still bears the time since boot at
/// which the other end sent it, which is the clock of [System#nanoTime()]; what leaves bears the time of day.
final class WireClock {
    private static final long YEAR_2000 = 946_684_800_000_000_000L;

    private final long monotonicStart;
    private final long dayStart;

    /// @param startNanos when the trace began, in terms of [System#nanoTime()]
    /// @param now the time of day
    /// @param nowNanos [System#nanoTime()] at that moment
    WireClock(long startNanos, Instant now, long nowNanos) {
        monotonicStart = startNanos;
        dayStart = now.getEpochSecond() * 1_000_000_000L + now.getNano() - (nowNanos - startNanos);
    }

    /// Nanoseconds since the trace began.
    long sinceStart(long stamp) {
        return stamp - (stamp >= YEAR_2000 ? dayStart : monotonicStart);
    }
}
