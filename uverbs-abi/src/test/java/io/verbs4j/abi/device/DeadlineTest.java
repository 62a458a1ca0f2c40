// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final Duration YEAR = Duration.ofDays(365);

    @Test
    void timeoutsAreBounded() {
        for (Duration none : List.of(Duration.ofSeconds(Long.MIN_VALUE), Duration.ofNanos(-1), Duration.ZERO)) {
            assertThat(Deadline.within(none)).isEqualTo(Deadline.NOW);
        }
        assertThat(Deadline.within(1)).isNotEqualTo(Deadline.NOW);
        for (Duration unlimited : List.of(Duration.ofSeconds(Long.MAX_VALUE), YEAR)) {
            assertThat(Deadline.after(unlimited)).isEqualTo(Deadline.NEVER);
        }
        assertThat(Deadline.after(YEAR.minusNanos(1))).isLessThan(Deadline.NEVER);
        assertThatIllegalArgumentException().isThrownBy(() -> Deadline.after(Duration.ofNanos(-1)))
                .withMessage("timeout=PT-0.000000001S is negative");
    }

    @Test
    void theRestIsNeverNegative() {
        assertThat(Deadline.left(Deadline.NOW)).isZero();
        assertThat(Deadline.left(System.nanoTime() - 1)).isZero();
        assertThat(Deadline.left(Deadline.after(Duration.ofHours(1))))
                .isBetween(Duration.ofMinutes(59).toNanos(), Duration.ofHours(1).toNanos());
        assertThat(Deadline.left(Deadline.NEVER)).isEqualTo(YEAR.toNanos());
    }
}
