// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Numbers at the ends of their ranges.
class PerfLimitsTest {
    @Test
    void anAreaHasRoomForAMessageAndAHeaderInWholePages() {
        assertThat(PerfLink.areaBytes(2, 0)).isEqualTo(4096);
        assertThat(PerfLink.areaBytes(4096, 0)).isEqualTo(8192);
        assertThat(PerfLink.areaBytes(2, 65_536)).isEqualTo(65_536);
        assertThat(PerfLink.areaBytes(Integer.MAX_VALUE - 7, 0)).isEqualTo((1L << 31) + 4096);
    }

    @Test
    void timesAreKeptOfAllMessagesUnlessTheyAreTooMany() {
        assertThat(BandwidthLoop.recorded(0)).isZero();
        assertThat(BandwidthLoop.recorded(5000)).isEqualTo(5000);
        assertThat(BandwidthLoop.recorded(100_000_000)).isZero();
        assertThat(BandwidthLoop.recorded(Integer.MAX_VALUE * (long) Integer.MAX_VALUE)).isZero();
    }
}
