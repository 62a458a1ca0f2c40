// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class PollPauseTest {
    private long time;
    private int looks;
    private long nanosOfALook;

    @Test
    void pauseEndsAfterTheTimeout() {
        var pause = new PollPause(Duration.ofMillis(20));
        long start = System.nanoTime();
        while (pause.pause()) {
            Thread.onSpinWait();
        }

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void pauseEndsAfterTheTimeoutInAMeasurementOfLatencyToo() {
        var pause = PollPause.ofLatency(Duration.ofMillis(20));
        long start = System.nanoTime();
        while (pause.pause()) {
            Thread.onSpinWait();
        }

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void progressRenewsPatience() {
        PollPause pause = PollPause.ofLatency(Duration.ofMillis(100), this::look, () -> {});
        pauseFor(pause, Duration.ofMillis(90), 1000);
        pause.progress();
        pauseFor(pause, Duration.ofMillis(90), 1000);
        int more = 0;
        while (pause.pause()) {
            time += 1000;
            more++;
        }
        // The first look comes after so many pauses, and with pauses of this length so does each later one.
        assertThat(more).isBetween(10_000, 10_000 + 2 * PollPause.MIN_PAUSES);
    }

    /// A look as system call takes a tenth of a message.
    @ParameterizedTest
    @ValueSource(longs = {0, 15_000})
    void aWaitForASmallMessageReadsNoClock(long nanosOfALook) {
        this.nanosOfALook = nanosOfALook;
        PollPause pause = PollPause.ofLatency(Duration.ofSeconds(1), this::look, () -> {});
        for (int message = 0; message < 1000; message++) {
            pauseFor(pause, Duration.ofNanos(150_000), 10);
            pause.progress();
        }
        assertThat(looks).isBetween(1, 20);
    }

    @Test
    void aWaitForALargeMessageReadsTheClockFewTimesBeforeItYields() {
        PollPause pause = PollPause.ofLatency(Duration.ofSeconds(1), this::look, () -> {});
        pauseFor(pause, Duration.ofNanos(150_000), 10);
        looks = 0;
        pause.progress();
        pauseFor(pause, Duration.ofNanos(400_000), 10);
        assertThat(looks).isBetween(1, 3);
    }

    @Test
    void longPausesDoNotOutlivePatience() {
        PollPause pause = PollPause.ofLatency(Duration.ofSeconds(1), this::look, () -> {});
        pauseFor(pause, Duration.ofNanos(400_000), 10); // learns that thousands of pauses take no time, and spins no longer
        long start = time;
        while (pause.pause()) {
            time += 2_000_000;
        }
        assertThat(Duration.ofNanos(time - start)).isLessThan(Duration.ofSeconds(2));
    }

    private void pauseFor(PollPause pause, Duration duration, long nanosEach) {
        for (long end = time + duration.toNanos(); time < end; time += nanosEach) {
            assertThat(pause.pause()).isTrue();
        }
    }

    private long look() {
        looks++;
        time += nanosOfALook;
        return time;
    }
}
