// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WaitingThreadsTest {
    private final WaitingThreads waiting = new WaitingThreads();

    @Test
    void aPlaceIsUsedAgainSoThatWaitingAllocatesNothing() {
        WaitingThreads.Place first = waiting.enter(Readiness.READ);
        WaitingThreads.Place second = waiting.enter(Readiness.WRITE);
        assertThat(second).isNotSameAs(first);
        first.leave();
        assertThat(waiting.enter(Readiness.WRITE)).isSameAs(first);
    }

    @Test
    void aThreadIsUnparkedByTheReadinessThatItWaitsFor() throws InterruptedException {
        var entered = new Thread[3];
        int[] wanted = {Readiness.READ, Readiness.WRITE, Readiness.READ | Readiness.DONE};
        for (int i = 0; i < wanted.length; i++) {
            int bits = wanted[i];
            entered[i] = Thread.ofPlatform().daemon().unstarted(() -> {
                waiting.enter(bits);
                LockSupport.park(waiting);
            });
            entered[i].start();
            while (LockSupport.getBlocker(entered[i]) == null) {
                Thread.onSpinWait();
            }
        }
        waiting.wake(Readiness.DONE | Readiness.MAP);
        entered[2].join();
        waiting.wake(Readiness.WRITE);
        entered[1].join();
        assertThat(entered[0].isAlive()).isTrue();
        waiting.wake(Readiness.READ);
        entered[0].join();
    }
}
