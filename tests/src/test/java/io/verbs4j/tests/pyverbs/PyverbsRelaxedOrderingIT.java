// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Access;
import org.junit.jupiter.api.Test;

/// Traffic on memory that allows relaxed ordering, as in `test_relaxed_ordering.py`.
@PyverbsScenarios
@Covers({"ibv_reg_mr"})
@Needs.OneKernel
class PyverbsRelaxedOrderingIT {
    @Test
    @Scenario("test_relaxed_ordering.RoTestCase.test_ro_rc_traffic")
    void exchangesMessages() {
        try (var players = Players.of(Setup.rc().with(Access.RELAXED_ORDERING))) {
            players.exchangeMessages();
        }
    }

    @Test
    @Scenario("test_relaxed_ordering.RoTestCase.test_ro_ud_traffic")
    void exchangesDatagrams() {
        try (var players = Players.of(Setup.ud().with(Access.RELAXED_ORDERING))) {
            players.exchangeMessages();
        }
    }

    @Test
    @Scenario("test_relaxed_ordering.RoTestCase.test_ro_mr_ex_traffic")
    void writes() {
        try (var players = Players.of(Setup.rc().with(Access.RELAXED_ORDERING, Access.REMOTE_WRITE))) {
            players.exchangeWrites();
        }
    }
}
