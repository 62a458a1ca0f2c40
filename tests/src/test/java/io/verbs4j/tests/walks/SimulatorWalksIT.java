// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.RealKernel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/// Walks by chance on rxe and on simulated devices of the same kernel come to the same. How many, and which, say the system
/// properties `walks` and `walks.seed`; `walks.minutes` asks for more of them.
@DeviceTest
@RealKernel("rxe, which the simulator is compared with")
class SimulatorWalksIT {
    private static final int WALKS = 4;

    @Test
    @EnabledIf(
            value = "io.verbs4j.tests.walks.WalkSearch#isLong",
            disabledReason = "the long form compares: after a failed request, the PSN that a query shows depends on time")
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void comeToTheSameOnSimulatedDevices() {
        try (var comparison = new SimulatorComparison()) {
            try {
                WalkRun.search(comparison::take, WalkSearch.BUDGET)
                        .run(WalkSearch.firstSeed(), Integer.getInteger("walks", WALKS), WalkSearch.time());
            } finally {
                System.out.println("steps compared with the simulator: " + comparison.steps());
            }
        }
    }
}
