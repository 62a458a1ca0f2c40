// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Tests the descriptor that wakes a thread that sleeps in the kernel.
class WakeUpTest {
    @Test
    void isReadableFromASignalToTheNextLookHoweverManySignalsThereWere() {
        try (var wakeUp = new WakeUp()) {
            assertThat(PollSet.look(wakeUp.number())).isZero();
            wakeUp.signal();
            wakeUp.signal();
            assertThat(PollSet.look(wakeUp.number())).isPositive();
            wakeUp.drain();
            assertThat(PollSet.look(wakeUp.number())).isZero();
        }
    }

    @Test
    void canBeSignalledAndDrainedAfterItIsClosed() {
        var wakeUp = new WakeUp();
        wakeUp.close();
        wakeUp.signal();
        wakeUp.drain();
        wakeUp.close();
    }
}
