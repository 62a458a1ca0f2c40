// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;

/// Several walks at a time find what one at a time finds, and a seed alone brings it back.
class WalkLanesTest {
    private static final int WALKS = 40;

    private static WalkSearch<Walk> search(List<WalkSearch.Taker<Walk>> lanes) {
        return new WalkSearch<>(Walks.longer(), lanes, Duration.ZERO);
    }

    /// Fails as a device does that does not renew windows.
    private static void fail(Walk walk, Duration limit) {
        if (walk.steps().stream().anyMatch(Step.RenewWindow.class::isInstance)) {
            throw WalkRun.deviation(walk, walk.steps().size() + " steps", List.of());
        }
    }

    @Test
    void eachWalkIsTakenOnce() {
        Set<Walk> taken = ConcurrentHashMap.newKeySet();
        WalkSearch.Taker<Walk> lane = (walk, _) -> assertThat(taken.add(walk)).isTrue();
        search(List.of(lane, lane, lane)).run(1, WALKS, Duration.ZERO);
        assertThat(taken).hasSize(WALKS);
    }

    @Test
    void lanesWorkAtTheSameTime() {
        var both = new CountDownLatch(2);
        WalkSearch.Taker<Walk> lane = (walk, _) -> {
            both.countDown();
            try {
                if (!both.await(60, TimeUnit.SECONDS)) {
                    throw WalkRun.deviation(walk, "nobody else came", List.of());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        search(List.of(lane, lane)).run(1, WALKS, Duration.ZERO);
    }

    @Test
    void aFailureOfManyLanesComesAgainFromItsSeedAlone() {
        WalkSearch.Taker<Walk> lane = WalkLanesTest::fail;
        var failure = catchThrowable(() -> search(List.of(lane, lane, lane)).run(1, WALKS, Duration.ZERO));
        assertThat(failure).isInstanceOf(AssertionError.class);
        Matcher seed = Pattern.compile("the walk of seed (\\d+) ").matcher(failure.getMessage());
        assertThat(seed.find()).isTrue();
        assertThatThrownBy(() -> search(List.of(lane)).run(Long.parseLong(seed.group(1)), 1, Duration.ZERO))
                .hasMessage(failure.getMessage());
    }

    @Test
    void whatALaneDoesNotExpectFailsTheSearch() {
        WalkSearch.Taker<Walk> sound = (_, _) -> {};
        WalkSearch.Taker<Walk> broken = (_, _) -> {
            throw new ArithmeticException("broken");
        };
        assertThatThrownBy(() -> search(List.of(broken, sound)).run(1, 100 * WALKS, Duration.ZERO))
                .hasMessageMatching("(?s).*the walk of seed \\d+ broke off: .*broken");
    }

    @Test
    void theWalkOfASeedDoesNotDependOnThoseBefore() {
        JqwikSession.run(() -> {
            var later = Walks.longer();
            for (long seed = 1; seed < 20; seed++) {
                later.apply(seed);
            }
            assertThat(later.apply(20).value()).isEqualTo(Walks.longer().apply(20).value());
        });
    }
}
