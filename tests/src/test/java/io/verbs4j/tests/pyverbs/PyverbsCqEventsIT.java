// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import io.verbs4j.tests.pyverbs.Setup.Polling;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Needs;
import org.junit.jupiter.api.Test;

/// Traffic whose completions are announced on a channel, as in `test_cq_events.py`.
@PyverbsScenarios
@Covers({"ibv_get_cq_event", "ibv_ack_cq_events", "ibv_req_notify_cq"})
@Needs.OneKernel
class PyverbsCqEventsIT {
    @Test
    @Scenario("test_cq_events.CqEventsTestCase.test_cq_events_ud")
    void exchangesDatagrams() {
        try (var players = Players.of(Setup.ud().polling(Polling.EVENTS))) {
            players.exchangeMessages();
        }
    }

    @Test
    @Scenario("test_cq_events.CqEventsTestCase.test_cq_events_rc")
    void exchangesMessages() {
        try (var players = Players.of(Setup.rc().polling(Polling.EVENTS))) {
            players.exchangeMessages();
        }
    }
}
