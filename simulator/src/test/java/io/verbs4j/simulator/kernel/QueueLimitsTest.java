// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the simulated kernel's limits on the capacity of queues. A queue with the largest capacity would have a ring
/// of more than 100 MiB, so this test calls only the checks. `SimulatedLimitsTest` executes whole commands.
class QueueLimitsTest {
    private static final int MAX_CAPACITY = 1 << 20;

    private static void refused(ThrowingCallable check) {
        assertThatExceptionOfType(Refusal.class).isThrownBy(check).returns(Errno.EINVAL, Refusal::errno);
    }

    @Test
    void sharedReceiveQueues() {
        assertThatCode(() -> ReceiveCommands.check(1)).doesNotThrowAnyException();
        assertThatCode(() -> ReceiveCommands.check(MAX_CAPACITY)).doesNotThrowAnyException();
        refused(() -> ReceiveCommands.check(0));
        refused(() -> ReceiveCommands.check(MAX_CAPACITY + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "recv"})
    void queuePairs(String side) {
        CView capabilities = QueuePairCommands.CAPABILITIES.view(
                QueuePairCommands.CAPABILITIES.allocate(Arena.ofAuto()));
        capabilities.set("max_" + side + "_wr", MAX_CAPACITY);
        assertThatCode(() -> QueuePairCommands.check(capabilities, side)).doesNotThrowAnyException();
        capabilities.set("max_" + side + "_wr", MAX_CAPACITY + 1);
        refused(() -> QueuePairCommands.check(capabilities, side));
    }
}
