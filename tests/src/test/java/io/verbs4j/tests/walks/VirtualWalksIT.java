// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.abi.host.HostFactory;
import io.verbs4j.tests.support.DeviceTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// As [RandomWalksIT], in virtual time: nobody waits for a timer, so that a processor takes many thousand steps a second.
@DeviceTest
@EnabledIfSystemProperty(
        named = HostFactory.PROPERTY,
        matches = ".+",
        disabledReason = "simulated devices only: a kernel has no virtual time")
class VirtualWalksIT {
    private static final int WALKS = 60;

    private long steps;

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void goAsTheModelSays() {
        int walks = Long.getLong("walks.seed") == null ? WALKS : 1;
        long start = System.nanoTime();
        try (var ends = new SimulatedEnds()) {
            WalkRun.search(
                    (walk, limit) -> steps += WalkRun.take(
                            walk, ends.open(walk.patient()), Quirk.ofThisKernel(), limit)
                            .size(),
                    WalkSearch.BUDGET)
                    .run(WalkSearch.firstSeed(), Integer.getInteger("walks", walks), WalkSearch.time());
        } finally {
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("%d steps in virtual time, %.0f a second%n", steps, steps / seconds);
        }
    }
}
