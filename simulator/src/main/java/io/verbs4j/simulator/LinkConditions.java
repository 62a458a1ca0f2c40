// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import java.time.Duration;

/// Loss, duplication, corruption, reordering and delay of packets between two devices. Packets from a device to itself
/// are not affected.
///
/// @param loss fraction of packets that are lost, 0 to 1
/// @param duplication fraction of packets that arrive twice, 0 to 1
/// @param corruption fraction of packets with a changed bit, 0 to 1; the receiver drops them because the invariant CRC
///     is wrong
/// @param reordering fraction of packets that later packets overtake, 0 to 1
/// @param delay transmission delay of a packet
public record LinkConditions(
        double loss, double duplication, double corruption, double reordering, Duration delay) {
    /// Conditions that deliver each packet at once and in order.
    public static final LinkConditions PERFECT = new LinkConditions(0, 0, 0, 0, Duration.ZERO);

    /// Checks the ranges.
    ///
    /// @throws IllegalArgumentException if a fraction is not in 0 to 1, or the delay is negative
    public LinkConditions {
        share("loss", loss);
        share("duplication", duplication);
        share("corruption", corruption);
        share("reordering", reordering);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay=" + delay + " is negative");
        }
    }

    private static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + "=" + value + " is not in 0..1");
        }
    }

    /// Sets the fraction of packets that are lost, 0 to 1.
    public LinkConditions withLoss(double share) {
        return new LinkConditions(share, duplication, corruption, reordering, delay);
    }

    /// Sets the fraction of packets that arrive twice, 0 to 1.
    public LinkConditions withDuplication(double share) {
        return new LinkConditions(loss, share, corruption, reordering, delay);
    }

    /// Sets the fraction of packets with a changed bit, 0 to 1.
    public LinkConditions withCorruption(double share) {
        return new LinkConditions(loss, duplication, share, reordering, delay);
    }

    /// Sets the fraction of packets that later packets overtake, 0 to 1.
    public LinkConditions withReordering(double share) {
        return new LinkConditions(loss, duplication, corruption, share, delay);
    }

    /// Sets the transmission delay of a packet.
    public LinkConditions withDelay(Duration time) {
        return new LinkConditions(loss, duplication, corruption, reordering, time);
    }

    boolean isPerfect() {
        return loss == 0 && duplication == 0 && corruption == 0 && reordering == 0 && delay.isZero();
    }
}
