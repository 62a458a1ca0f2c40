// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;

/// A walk that fails in virtual time shows what was on the wire.
class VirtualLaneTest {
    private static final WalkSearch.Taker<Walk> FAILING = new WalkSearch.Taker<>() {
        @Override
        public void take(Walk walk, Duration limit) {
            if (packets(walk).contains("RDMA Read")) {
                throw WalkRun.deviation(walk, "a read", List.of());
            }
        }

        @Override
        public String packets(Walk walk) {
            return new VirtualLane(Set.of(), new LongAdder()).packets(walk);
        }
    };

    @Test
    void aFailedWalkComesWithItsPackets() {
        var search = new WalkSearch<>(Walks.longer(), List.of(FAILING), Duration.ZERO);
        assertThat(catchThrowable(() -> search.run(1, 1000, Duration.ZERO)).getMessage())
                .contains("went otherwise than the model says", "\nThis program shows it:\n")
                .containsPattern("Its packets:\n +0[.]0.* 10[.]9[.]0[.][12] → 10[.]9[.]0[.][12] +RC ")
                .contains("RC RDMA Read Request");
    }

    @Test
    void theSameWalkHasTheSamePackets() {
        JqwikSession.run(() -> {
            Walk walk = Walks.longer().apply(7).value();
            assertThat(withoutAddresses(walk)).isEqualTo(withoutAddresses(walk)).contains(" RC ");
        });
    }

    /// Leaves out the addresses of memory, which the process chooses.
    private static String withoutAddresses(Walk walk) {
        return SimulatedEnds.packets(walk).replaceAll("address 0x[0-9a-f]+", "");
    }
}
