// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Eight threads make random calls on shared objects, for some seconds, or for the number of minutes in the system
/// property `soak.minutes`. The wire loses one packet of a hundred.
@DeviceTest
@Timeout(value = 1000, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs.OneKernel
class SoakIT {
    private static final long SEED = Long.getLong("soak.seed", 1);

    @Test
    @Needs.LongRun("eight threads for many seconds")
    void nothingIsLostDoubledOrLeaked() throws Exception {
        var length = Soak.MINUTES == 0 ? Duration.ofSeconds(6) : Duration.ofMinutes(Soak.MINUTES);
        try (var soak = new Soak(SEED, length)) {
            soak.run();
        }
    }
}
