// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Simulated;
import io.verbs4j.tests.walks.WalkSearch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random walks over identifiers of the connection manager, as clients, servers and neither. For each
/// command, the kernel and the model agree. The system properties `walks` and `walks.seed` set their number and first
/// seed; `walks.minutes` adds walks.
@DeviceTest
@Needs.EachKernel
class ConnectionWalksIT {
    private static final int WALKS = Simulated.isUsed() ? 1000 : 10;

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void goAsTheModelSays() {
        int walks = Long.getLong("walks.seed") == null ? WALKS : 1;
        new WalkSearch<>(
                ConnectionWalks::of,
                (walk, limit) -> ConnectionWalkRun.take(walk, new KernelConnections(), limit),
                WalkSearch.BUDGET)
                .run(WalkSearch.firstSeed(), Integer.getInteger("walks", walks), WalkSearch.time());
        LeakCheck.awaitNothingOfConnections();
    }
}
