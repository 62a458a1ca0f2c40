// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.RingReading;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Since when the oldest element of a ring is there, for who looks now and then.
class ManagedRingTest {
    private static final RingReading FIRST = new RingReading(7, 2, 2, 0, 0);

    private Optional<RingReading> reading = Optional.of(FIRST);
    private final ManagedRing ring = new ManagedRing("cq 1", () -> "", () -> reading, () -> 0);

    private long age() {
        return Objects.requireNonNull(ring.getStatus()).oldestSeenMillis();
    }

    @Test
    void anElementIsSeenSinceTheFirstLookAlsoIfItsSlotAndIdentifierAre0() {
        assertThat(age()).isZero();
    }

    @Test
    void anElementThatStaysGrowsOlder() throws InterruptedException {
        age();
        Thread.sleep(Duration.ofMillis(20));
        assertThat(age()).isGreaterThanOrEqualTo(20);
    }

    @Test
    void anotherElementIsSeenAnew() throws InterruptedException {
        age();
        Thread.sleep(Duration.ofMillis(200));
        reading = Optional.of(new RingReading(7, 1, 2, 1, 0));
        assertThat(age()).isLessThan(200);
        Thread.sleep(Duration.ofMillis(200));
        reading = Optional.of(new RingReading(7, 1, 2, 1, 5));
        assertThat(age()).isLessThan(200);
    }

    @Test
    void aClosedQueueHasNoStatus() {
        reading = Optional.empty();
        assertThat(ring.getStatus()).isNull();
        assertThat(ring.getFill()).isEqualTo(-1);
        assertThat(ring.getCapacity()).isEqualTo(-1);
    }
}
