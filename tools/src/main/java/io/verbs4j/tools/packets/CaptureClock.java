// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.CapturedFrame;

/// Times of a capture relative to its first packet.
///
/// A capture of rxe has two clocks. rxe stamps what it sends with the time since boot (`rxe_init_packet` in
/// drivers/infiniband/sw/rxe/rxe_net.c: `skb->tstamp = ktime_get()`), and over veth that stamp stays on the packet, so that
/// the capture shows it for what arrives, and the time of day for what leaves. The two are aligned here by the order of the
/// packets: what follows a packet cannot have come before it.
final class CaptureClock {
    private static final long YEAR_2000 = 946_684_800_000_000_000L;

    private boolean dayKnown;
    private boolean bootKnown;
    private long dayOffset;
    private long bootOffset;
    private long last;

    /// Returns the time to show for the next packet, in nanoseconds since the first one.
    ///
    /// @param stamp time in the capture, in nanoseconds; [CapturedFrame#NO_TIME] stays as it is
    long read(long stamp) {
        if (stamp == CapturedFrame.NO_TIME) {
            return stamp;
        }
        long shown;
        if (stamp >= YEAR_2000) {
            if (!dayKnown) {
                dayKnown = true;
                dayOffset = last - stamp;
            }
            shown = stamp + dayOffset;
        } else {
            if (!bootKnown || stamp + bootOffset < last) {
                bootKnown = true;
                bootOffset = last - stamp;
            }
            shown = stamp + bootOffset;
        }
        last = Math.max(last, shown);
        return shown;
    }
}
