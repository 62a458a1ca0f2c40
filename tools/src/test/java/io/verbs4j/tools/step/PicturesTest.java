// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.RingReading;
import org.junit.jupiter.api.Test;

class PicturesTest {
    @Test
    void aRingShowsItsSlotsAndIndices() {
        assertThat(Pictures.ring("sends", new RingReading(7, 3, 1, 6, 42)))
                .containsExactly(
                        "sends: 3 of 7, the oldest is wr_id 42",
                        "  slot     0    1    2    3    4    5    6    7",
                        "       |####|    |    |    |    |    |####|####|",
                        "              P                        C");
    }

    @Test
    void anEmptyRingIsOneLine() {
        assertThat(Pictures.ring("sends", new RingReading(7, 0, 3, 3, 0)))
                .containsExactly("sends: empty, P and C at slot 3 of 0..7");
    }

    @Test
    void ofALargeRingTheSlotsAroundTheOldestElementAreShown() {
        assertThat(Pictures.ring("completions", new RingReading(127, 1, 0, 127, 5)).get(1))
                .startsWith("  slot   125  126  127    0    1")
                .endsWith("...");
    }

    @Test
    void thePresentStateIsInBrackets() {
        assertThat(Pictures.states(QueuePairState.RTR)).startsWith(" RESET --> INIT -->[RTR]--> RTS ");
        assertThat(Pictures.states(QueuePairState.ERR)).endsWith("now [ERR]");
    }
}
