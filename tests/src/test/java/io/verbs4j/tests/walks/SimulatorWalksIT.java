// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TemporaryWire;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/// Random walks have the same outcomes on rxe and on simulated devices with the same kernel. The system properties
/// `walks` and `walks.seed` set their number and first seed; `walks.minutes` adds walks, and `walks.lanes` sets the
/// number of concurrent ones.
@DeviceTest
@RealKernel("rxe, which the simulator is compared with")
@Needs.EachKernel
class SimulatorWalksIT {
    private static final int WALKS = 4;

    /// Walks at a time: while one waits for a timer, others go on.
    private static final int LANES = Integer.getInteger("walks.lanes", 8);

    private static final boolean ONE_SEED = Long.getLong("walks.seed") != null && !WalkSearch.isLong();

    @Test
    @EnabledIf(
            value = "isAskedFor",
            disabledReason = "the long form compares: after a failed request, the PSN that a query shows depends on time")
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void comeToTheSameOnSimulatedDevices() {
        var steps = new LongAdder();
        var wires = new ArrayList<TemporaryWire>();
        try (var reporter = Executors.newSingleThreadScheduledExecutor()) {
            var lanes = new ArrayList<SimulatorComparison>();
            for (int i = 0; i < (ONE_SEED ? 1 : LANES); i++) {
                wires.add(new TemporaryWire(i));
                lanes.add(new SimulatorComparison(DevicePair.of(wires.getLast()), steps));
            }
            var _ = reporter.scheduleAtFixedRate(() -> report(steps), 1, 1, TimeUnit.MINUTES);
            WalkRun.search(lanes)
                    .run(WalkSearch.firstSeed(), Integer.getInteger("walks", ONE_SEED ? 1 : WALKS), WalkSearch.time());
        } finally {
            report(steps);
            wires.forEach(TemporaryWire::close);
        }
    }

    /// Returns whether the long form is asked for, or a walk of it to be taken once more.
    static boolean isAskedFor() {
        return WalkSearch.isLong() || ONE_SEED;
    }

    /// Also once a minute: a guest that breaks off after hours leaves what it has done.
    private static void report(LongAdder steps) {
        System.out.println("steps compared with the simulator: " + steps);
    }
}
