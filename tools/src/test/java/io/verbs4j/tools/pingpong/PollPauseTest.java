// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class PollPauseTest {
    @Test
    void patienceEnds() {
        var pause = new PollPause(Duration.ofMillis(20));
        long start = System.nanoTime();
        while (pause.pause()) {
            Thread.onSpinWait();
        }

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void patienceEndsInAMeasurementOfLatencyToo() {
        var pause = PollPause.ofLatency(Duration.ofMillis(20));
        long start = System.nanoTime();
        while (pause.pause()) {
            Thread.onSpinWait();
        }

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void progressRenewsPatience() {
        var pause = new PollPause(Duration.ofHours(1));
        for (int i = 0; i < 100_000; i++) {
            assertThat(pause.pause()).isTrue();
        }
        pause.progress();
        assertThat(pause.pause()).isTrue();
    }
}
