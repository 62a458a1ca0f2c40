// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.Eventually;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;

/// Takes walks until one fails, and makes that one as short as it can.
final class WalkSearch {
    /// How long a failure is made shorter.
    static final Duration BUDGET = Duration.ofSeconds(60);

    /// Takes a walk.
    @FunctionalInterface
    interface Taker {
        /// @param limit how long to wait for what the model says must come
        /// @throws WalkRun.Deviation if it comes otherwise
        void take(Walk walk, Duration limit);
    }

    /// Long enough to tell a failure that was seen before from none.
    private static final Duration SHORT_LIMIT = Duration.ofSeconds(3);

    private final Taker taker;
    private final Duration budget;

    /// @param taker takes a walk
    /// @param budget how long to look for a shorter failure
    WalkSearch(Taker taker, Duration budget) {
        this.taker = taker;
        this.budget = budget;
    }

    /// The seed to begin with. Who asks for neither walks nor time gets the same few each time, so that they go otherwise only
    /// when something has changed; who does gets new ones.
    static long firstSeed() {
        boolean asked = Integer.getInteger("walks") != null || !time().isZero();
        return Long.getLong("walks.seed", asked ? System.nanoTime() : 1);
    }

    /// Returns whether the long form is asked for.
    static boolean isLong() {
        return !time().isZero();
    }

    /// How long to go on.
    static Duration time() {
        return Duration.ofMinutes(Long.getLong("walks.minutes", 0));
    }

    /// Takes the walks of `count` seeds, from `first` on, and more as long as there is time.
    ///
    /// @param time from now on
    /// @throws AssertionError if one fails: it says the seed, the difference, and the program that shows it
    void run(long first, int count, Duration time) {
        System.out.println("walks: " + count + (time.isZero() ? "" : " and more for " + time) + " from seed " + first);
        JqwikSession.run(() -> search(first, count, System.nanoTime() + time.toNanos()));
    }

    private void search(long first, int count, long deadline) {
        for (long seed = first; seed < first + count || System.nanoTime() - deadline < 0; seed++) {
            Shrinkable<Walk> walk = Walks.of(seed);
            var failure = failure(walk.value(), Eventually.LIMIT);
            if (failure.isPresent()) {
                throw report(seed, walk, failure.get());
            }
        }
    }

    private AssertionError report(long seed, Shrinkable<Walk> walk, WalkRun.Deviation failure) {
        long deadline = System.nanoTime() + budget.toNanos();
        Shrinkable<Walk> smallest = walk;
        WalkRun.Deviation shown = failure;
        while (true) {
            var shorter = smallest.shrink()
                    .takeWhile(_ -> System.nanoTime() < deadline)
                    .filter(candidate -> failure(candidate.value(), SHORT_LIMIT).isPresent())
                    .findFirst();
            if (shorter.isEmpty()) {
                break;
            }
            smallest = shorter.get();
            shown = failure(smallest.value(), SHORT_LIMIT).orElse(shown);
        }
        return new AssertionError(
                "the walk of seed " + seed + " went otherwise than the model says, at " + shown.getMessage()
                        + "\n\nThis program shows it:\n\n" + WalkProgram.of(smallest.value(), shown.taken()),
                failure);
    }

    private Optional<WalkRun.Deviation> failure(Walk walk, Duration limit) {
        try {
            taker.take(walk, limit);
            return Optional.empty();
        } catch (WalkRun.Deviation e) {
            return Optional.of(e);
        }
    }
}
