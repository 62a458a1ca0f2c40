// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.tests.pyverbs.Setup.Polling;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import org.junit.jupiter.api.Test;

/// Completions taken one by one, as in `test_cqex.py`.
@PyverbsScenarios
@Covers({"ibv_create_cq_ex", "ibv_start_poll", "ibv_next_poll", "ibv_end_poll"})
@Needs.OneKernel
class PyverbsCqexIT {
    @Test
    @Scenario("test_cqex.CqExTestCase.test_ud_traffic_cq_ex")
    void exchangesDatagrams() {
        try (var players = Players.of(Setup.ud().polling(Polling.CURSOR))) {
            players.exchangeMessages();
        }
    }

    @Test
    @Scenario("test_cqex.CqExTestCase.test_rc_traffic_cq_ex")
    void exchangesMessages() {
        try (var players = Players.of(Setup.rc().polling(Polling.CURSOR))) {
            players.exchangeMessages();
        }
    }

    /// The suite tries each field and flag alone. A queue of ours offers all the fields that rxe has, and one flag.
    @Test
    @Scenario("test_cqex.CQEXAPITest.test_create_cq_ex")
    void createsQueuesWithEveryFlag() {
        try (Context context = Rxe.open()) {
            for (var options : new CompletionQueueOptions[]{
                    CompletionQueueOptions.entries(10),
                    CompletionQueueOptions.entries(10).withSingleThread()
            }) {
                try (
                        var queue = context.createCompletionQueue(options);
                        var batch = queue.beginPoll()) {
                    assertThat(batch.next()).isFalse();
                }
            }
        }
    }

    @Test
    @Scenario("test_cqex.CQEXAPITest.test_create_cq_ex_bad_flow")
    void createsNoneBeyondTheLimits() {
        try (Context context = Rxe.open()) {
            var tooMany = CompletionQueueOptions.entries(context.attributes().maxCompletionQueueEntries() + 1)
                    .withSingleThread();
            assertThatThrownBy(() -> context.createCompletionQueue(tooMany))
                    .isInstanceOf(IllegalArgumentException.class);
            var beyond = CompletionQueueOptions.entries(10)
                    .withSingleThread()
                    .withCompletionVector(context.completionVectors() + 1);
            assertThatThrownBy(() -> context.createCompletionQueue(beyond))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
