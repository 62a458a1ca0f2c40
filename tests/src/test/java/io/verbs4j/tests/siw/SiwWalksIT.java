// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.siw;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Siw;
import io.verbs4j.tests.walks.WalkSearch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random walks over connections of siw. The system properties `walks` and `walks.seed` set their number and first
/// seed; `walks.minutes` adds walks.
@DeviceTest
@Siw.Test
@Needs.OneKernel
class SiwWalksIT {
    private static final int WALKS = 6;
    private static final int STEPS = 12;

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void goAsTheModelSays() {
        long first = WalkSearch.firstSeed();
        int walks = Integer.getInteger("walks", Long.getLong("walks.seed") == null ? WALKS : 1);
        long end = System.nanoTime() + WalkSearch.time().toNanos();
        for (long seed = first; seed < first + walks || System.nanoTime() < end; seed++) {
            try (var walk = new SiwWalk(seed)) {
                walk.run(STEPS);
            }
        }
    }
}
