// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.QueuePairState;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests what walks leave out about windows of type 2, and what they do not.
class OracleWindowsTest {
    private static final int SECOND_TYPE = 1;

    private final Oracle oracle = new Oracle(false, EnumSet.allOf(Quirk.class));
    private int steps;

    @BeforeEach
    void connect() {
        new Step.Connect(Side.LEFT).moves().forEach(this::take);
    }

    private void take(Step step) {
        oracle.perform(steps++, step);
    }

    @Test
    void noBatchInvalidatesAKeyTwice() {
        take(send(Side.LEFT, bind(64)));
        var invalidation = request(Operation.SEND_WITH_INVALIDATE, List.of());
        assertThat(oracle.admit(send(Side.RIGHT, invalidation, invalidation)))
                .isEqualTo(send(Side.RIGHT, invalidation));
    }

    /// The library closes the window with the queue pair, and the walk would go on with a closed one.
    @Test
    void noQueuePairIsClosedThroughWhichABindFailed() {
        take(send(Side.LEFT, bind(0)));
        assertThat(oracle.end(Side.LEFT).state).isEqualTo(QueuePairState.ERR);
        assertThat(oracle.admit(new Step.CloseQueuePair(Side.LEFT))).isNull();
        take(new Step.RenewWindow(Side.LEFT, SECOND_TYPE));
        assertThat(oracle.admit(new Step.CloseQueuePair(Side.LEFT))).isNotNull();
    }

    private static SendRequest bind(int length) {
        return request(Operation.BIND, List.of(new Part(0, 0, length, false)));
    }

    private static SendRequest request(Operation operation, List<Part> parts) {
        return new SendRequest(
                operation, true, false, false, false, parts, new Target(true, SECOND_TYPE, 0, false), 0, 0);
    }

    private static Step send(Side side, SendRequest... requests) {
        return new Step.Send(side, List.of(requests));
    }
}
