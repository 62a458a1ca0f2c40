// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AsyncEvent;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.AsyncEventType;
import org.junit.jupiter.api.Test;

/// Shared receive queues, as in `test_srq.py` of newer versions.
@PyverbsScenarios
@Covers({"ibv_create_srq", "ibv_destroy_srq", "ibv_post_srq_recv"})
@Needs.OneKernel
class PyverbsSrqIT {
    private static final Setup SHARED = Setup.rc().sharing(2);

    @Test
    @Covers("ibv_create_srq_ex")
    @Scenario("test_srq.SrqTestCase.test_rc_srq_traffic")
    void exchangesMessagesOfTwoQueuePairs() {
        try (var players = Players.of(SHARED)) {
            players.exchangeMessages();
        }
    }

    @Test
    @Covers({"ibv_modify_srq", "ibv_query_srq"})
    @Scenario("test_srq.SrqTestCase.test_resize_srq")
    void grows() {
        try (var players = Players.of(SHARED)) {
            var shared = players.server().shared();
            int more = 2 * shared.query().maxWorkRequests();
            shared.resize(more);
            assertThat(shared.query().maxWorkRequests()).isGreaterThanOrEqualTo(more);
            for (int i = 0; i < more; i++) {
                players.server().postReceive(0);
            }
        }
    }

    @Test
    @Covers({"ibv_modify_srq", "ibv_query_srq", "ibv_get_async_event", "ibv_ack_async_event", "ibv_event_type_str"})
    @Scenario("test_srq.SrqTestCase.test_modify_srq_limit")
    void reportsThatTheLimitIsReached() throws InterruptedException {
        try (var players = Players.of(SHARED)) {
            Player client = players.client();
            Player server = players.server();
            for (int i = 0; i < 10; i++) {
                server.postReceive(0);
            }
            server.shared().armLimit(7);
            assertThat(server.shared().query().limit()).isEqualTo(7);
            for (int i = 0; i < 4; i++) {
                client.post(batch -> batch.send().local(client.memory(), 0, client.messageSize()).post());
                client.complete();
                server.complete();
            }
            AsyncEvent event = server.context().asyncEvents().take(Eventually.LIMIT);
            assertThat(event).isNotNull();
            assertThat(event.type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
            assertThat(event.object()).isSameAs(server.shared());
            assertThat(event.toString()).startsWith(AsyncEventType.SRQ_LIMIT_REACHED.toString());
        }
    }
}
