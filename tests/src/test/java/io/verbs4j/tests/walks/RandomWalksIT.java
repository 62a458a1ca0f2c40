// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random walks on two queue pairs over the wire. For each step, the device and the model agree. The system properties
/// `walks` and `walks.seed` set their number and first seed; `walks.minutes` adds walks.
@DeviceTest
@Needs.EachKernel
class RandomWalksIT {
    private static final int WALKS = 6;

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    @Covers({
            "ibv_create_qp", "ibv_modify_qp", "ibv_query_qp", "ibv_destroy_qp", "ibv_post_send", "ibv_post_recv",
            "ibv_poll_cq", "ibv_req_notify_cq", "ibv_get_cq_event", "ibv_resize_cq", "ibv_bind_mw"
    })
    void goAsTheModelSays() {
        int walks = Long.getLong("walks.seed") == null ? WALKS : 1;
        WalkRun.search(WalkRun::take, WalkSearch.BUDGET)
                .run(WalkSearch.firstSeed(), Integer.getInteger("walks", walks), WalkSearch.time());
    }
}
