// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Runs the clock of a latency test against a model: a post takes 3 us, a round trip 20 us more, and a clock read 7 us.
class LatencyClockTest {
    private static final long POST = 3_000;
    private static final long ROUND_TRIP = 20_000;
    private static final long READ = 7_000;

    private final List<String> done = new ArrayList<>();
    private long now;

    private long read() {
        done.add("clock");
        now += READ;
        return now;
    }

    private LatencyClock clock(ExtraMessages extras, int iterations) {
        return new LatencyClock(extras, iterations, this::read, () -> {
            done.add("alarm");
            return Alarm.in(Long.MAX_VALUE);
        });
    }

    private LatencyResult run(ExtraMessages extras, int iterations, long messages) {
        var clock = clock(extras, iterations);
        for (long message = 0; message < messages; message++) {
            clock.stamp(() -> {
                done.add("post");
                now += POST;
            });
            now += ROUND_TRIP;
        }
        return clock.result(2, 2);
    }

    @Test
    void aMessageIsStampedBeforeItIsPosted() {
        run(ExtraMessages.NONE, 3, 3);
        assertThat(done).containsExactly("clock", "post", "clock", "post", "clock", "post");
    }

    @Test
    void theTimeFromStampToStampIsThatOfPostAnswerAndClockRead() {
        LatencyResult result = run(ExtraMessages.NONE, 100, 100);
        double half = (POST + ROUND_TRIP + READ) / 2e3;
        assertThat(List.of(result.minimum(), result.typical(), result.average(), result.maximum()))
                .allSatisfy(value -> assertThat(value).isCloseTo(half, within(0.02)));
        assertThat(result.messages()).isEqualTo(100);
        assertThat(result.unstampedAverage()).isNull();
    }

    /// The warm-up here takes a hundred times as long as a message that counts.
    @Test
    void warmUpHasNoStampAndDoesNotCount() {
        var clock = clock(new ExtraMessages(50, false), 10);
        LongStream.range(0, 60).forEach(message -> {
            clock.stamp(() -> now += POST);
            now += message < 50 ? 100 * ROUND_TRIP : ROUND_TRIP;
        });
        assertThat(done).hasSize(10);
        assertThat(clock.result(2, 2).maximum()).isCloseTo((POST + ROUND_TRIP + READ) / 2e3, within(0.02));
    }

    @Test
    void theAverageWithoutStampsReadsTheClockAtBothEndsOnly() {
        LatencyResult result = run(new ExtraMessages(5, true), 100, 205);
        assertThat(done.stream().filter("clock"::equals)).hasSize(100 + 2);
        // One of the two reads lies between the stamps, of 99 messages.
        assertThat(result.unstampedAverage()).isCloseTo((POST + ROUND_TRIP + READ / 99.0) / 2e3, within(1e-9));
        assertThat(result.average()).isCloseTo((POST + ROUND_TRIP + READ) / 2e3, within(0.02));
        assertThat(result.messages()).isEqualTo(100);
    }

    /// Otherwise a long warm-up would take the time, and leave no measured message.
    @Test
    void theTimeOfATimedTestBeginsAfterTheWarmUp() {
        run(new ExtraMessages(2, false), 0, 4);
        assertThat(done).containsExactly("post", "post", "alarm", "clock", "post", "clock", "post");
    }

    @Test
    void theClockKnowsHowManyMessagesThereAre() {
        assertThat(clock(new ExtraMessages(50, false), 100).messages()).isEqualTo(150);
        assertThat(clock(new ExtraMessages(50, true), 100).messages()).isEqualTo(250);
        assertThat(clock(new ExtraMessages(50, false), 0).messages()).isEqualTo(Long.MAX_VALUE);
        assertThat(run(new ExtraMessages(5, false), 0, 25).messages()).isEqualTo(20);
    }
}
