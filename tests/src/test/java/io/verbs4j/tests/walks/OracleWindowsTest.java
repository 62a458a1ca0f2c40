// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.QueuePairState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests what walks leave out about windows of type 2, and what they do not.
class OracleWindowsTest {
    private static final int SECOND_TYPE = 1;

    private Oracle oracle = connected(EnumSet.allOf(Quirk.class));

    private static Oracle connected(Set<Quirk> quirks) {
        var oracle = new Oracle(false, quirks);
        new Step.Connect(Side.LEFT).moves().forEach(move -> oracle.perform(0, move));
        return oracle;
    }

    private void take(Step step) {
        oracle.perform(0, step);
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
        take(send(Side.LEFT, bind(64)));
        take(send(Side.LEFT, bind(64)));
        assertThat(oracle.end(Side.LEFT).state).isEqualTo(QueuePairState.ERR);
        assertThat(oracle.admit(new Step.CloseQueuePair(Side.LEFT))).isNull();
        take(new Step.RenewWindow(Side.LEFT, SECOND_TYPE));
        assertThat(oracle.admit(new Step.CloseQueuePair(Side.LEFT))).isNotNull();
    }

    /// Nobody answers the left end; the window is still bound, if the kernel has not invalidated it all the same.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInvalidationBehindASendThatFailsIsDoneWhereTheKernelDoesSo(boolean outruns) {
        if (!outruns) {
            oracle = connected(EnumSet.complementOf(EnumSet.of(Quirk.WAITING_REQUESTS_OUTRUN_FAILURES)));
        }
        take(send(Side.LEFT, bind(64)));
        take(new Step.Modify(Side.RIGHT, QueuePairState.RESET, Step.Attributes.REQUIRED, 0));
        take(send(Side.LEFT, request(Operation.RDMA_WRITE, List.of()), request(Operation.LOCAL_INVALIDATE, List.of())));
        assertThat(oracle.end(Side.LEFT).state).isEqualTo(QueuePairState.ERR);
        assertThat(oracle.end(Side.LEFT).window(SECOND_TYPE).valid).isEqualTo(!outruns);
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
