// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CaptureClockTest {
    private static final long DAY = 1_795_176_940_000_000_000L;
    private static final long BOOT = 15_000_000_000L;

    private final CaptureClock clock = new CaptureClock();

    @Test
    void firstPacketIsTheOrigin() {
        assertThat(clock.read(DAY)).isZero();
        assertThat(clock.read(DAY + 5)).isEqualTo(5);
    }

    @Test
    void stampsSinceBootAreShownBetweenTheirNeighbours() {
        assertThat(clock.read(DAY)).isZero();
        assertThat(clock.read(BOOT)).isZero();
        assertThat(clock.read(BOOT + 40)).isEqualTo(40);
        assertThat(clock.read(DAY + 100)).isEqualTo(100);
        assertThat(clock.read(BOOT + 70)).isEqualTo(100);
        assertThat(clock.read(BOOT + 90)).isEqualTo(120);
    }

    @Test
    void captureMayStartWithStampsSinceBoot() {
        assertThat(clock.read(BOOT)).isZero();
        assertThat(clock.read(DAY)).isZero();
        assertThat(clock.read(DAY + 10)).isEqualTo(10);
    }
}
