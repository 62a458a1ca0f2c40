// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rates of `enum ibv_rate` (libibverbs/verbs.h), which the kernel's headers for programs do not have.
class RateTest {
    /// The rate per lane, by the number of lanes: 2.5, 5 and 10 Gbit/s with 8b/10b encoding, which are named by their
    /// rate on the wire, and 14.0625, 25.78125, 53.125 and 106.25 Gbit/s, rounded down.
    @ParameterizedTest
    @CsvSource({
            "2, 1, 2.5, 1", "3, 4, 2.5, 4", "4, 12, 2.5, 12", "5, 2, 5, 1", "6, 8, 5, 4", "8, 24, 5, 12",
            "7, 16, 10, 4", "9, 32, 10, 8", "10, 48, 10, 12", "11, 0, 14.0625, 1", "12, 0, 14.0625, 4",
            "13, 0, 14.0625, 8",
            "14, 0, 14.0625, 12", "15, 0, 25.78125, 1", "16, 0, 25.78125, 4", "17, 0, 25.78125, 8",
            "18, 0, 25.78125, 12", "19, 11, 14.0625, 2", "20, 20, 53.125, 1", "21, 160, 106.25, 4",
            "22, 240, 53.125, 12", "23, 320, 106.25, 8", "24, 480, 106.25, 12"})
    void isFoundByItsNumberItsSpeedAndItsMultiple(int value, int multiple, double lane, int lanes) {
        var rate = new Rate(value, multiple, (int) (lane * lanes * 1000));
        assertThat(Rate.of(value)).contains(rate);
        assertThat(Rate.ofMegabitsPerSecond(rate.megabitsPerSecond())).contains(rate);
        if (multiple != 0) {
            assertThat(Rate.ofMultiple(multiple)).contains(rate);
        }
    }

    @Test
    void thereAreNoOthers() {
        assertThat(IntStream.rangeClosed(-1, 100).mapToObj(Rate::of).filter(Optional::isPresent)).hasSize(23);
        assertThat(Rate.ofMultiple(0)).isEmpty();
        assertThat(Rate.ofMegabitsPerSecond(0)).isEmpty();
    }
}
