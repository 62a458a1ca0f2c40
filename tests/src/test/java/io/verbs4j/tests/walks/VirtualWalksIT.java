// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.abi.host.HostFactory;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Like [RandomWalksIT], but in virtual time: no thread waits for a timer, so a processor executes many thousand steps
/// per second. Each processor executes its own walks.
@DeviceTest
@EnabledIfSystemProperty(
        named = HostFactory.PROPERTY,
        matches = ".+",
        disabledReason = "simulated devices only: a kernel has no virtual time")
@Needs.NoKernel
class VirtualWalksIT {
    private static final int WALKS = 20;

    private final LongAdder steps = new LongAdder();

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void goAsTheModelSays() {
        int walks = Long.getLong("walks.seed") == null ? WALKS : 1;
        var lane = new VirtualLane(Quirk.ofThisKernel(), steps);
        long start = System.nanoTime();
        try {
            WalkRun.search(Collections.nCopies(Runtime.getRuntime().availableProcessors(), lane))
                    .run(WalkSearch.firstSeed(), Integer.getInteger("walks", walks), WalkSearch.time());
        } finally {
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("%d steps in virtual time, %.0f a second%n", steps.sum(), steps.sum() / seconds);
        }
    }
}
