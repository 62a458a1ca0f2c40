// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.CapturedFrame;

/// Times of a capture relative to its first packet.
///
/// A capture of rxe has two clocks. rxe stamps sent packets with the time since boot (`rxe_init_packet` in
/// drivers/infiniband/sw/rxe/rxe_net.c: `skb->tstamp = ktime_get()`). Over veth, the stamp stays on the packet, so the
/// capture contains it for arriving packets, and the time of day for leaving ones. This class aligns the clocks by the
/// order of the packets: a packet cannot be earlier than the previous one.
final class CaptureClock {
    private static final long YEAR_2000 = 946_684_800_000_000_000L;

    private boolean dayKnown;
    private boolean bootKnown;
    private long dayOffset;
    private long bootOffset;
    private long last;

    /// Returns the time of the next packet, in nanoseconds since the first one.
    ///
    /// @param stamp time in the capture, in nanoseconds; [CapturedFrame#NO_TIME] is returned unchanged
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
