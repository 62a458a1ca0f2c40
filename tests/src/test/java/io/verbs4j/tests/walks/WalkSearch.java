// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;
import org.jspecify.annotations.Nullable;

/// Executes walks until one fails, and shortens that one as far as possible.
///
/// @param <W> a walk
public final class WalkSearch<W> {
    /// Time for which a failure is made shorter.
    public static final Duration BUDGET = Duration.ofSeconds(60);

    /// Takes a walk.
    @FunctionalInterface
    public interface Taker<W> {
        /// Executes a walk to its end or to the first difference.
        ///
        /// @param limit timeout for results that the model expects
        /// @throws Deviation if there is a difference
        void take(W walk, Duration limit);

        /// Returns the packets of a walk, one a line; empty if nobody can see them.
        default String packets(W walk) {
            return "";
        }
    }

    /// Device and model differ, or the walk broke off.
    public abstract static class Deviation extends AssertionError {
        private static final long serialVersionUID = 1;

        /// Creates a deviation.
        ///
        /// @param message the step and the difference
        /// @param cause null if there is none
        protected Deviation(String message, @Nullable Throwable cause) {
            super(message, cause);
        }

        /// Returns the steps up to the one that went wrong, as a reader can take them again.
        protected abstract String program();
    }

    /// Long enough to distinguish a failure that was seen before from none.
    static final Duration SHORT_LIMIT = Duration.ofSeconds(3);

    private final LongFunction<Shrinkable<W>> walks;
    private final List<? extends Taker<W>> lanes;
    private final Duration budget;

    /// Creates a search.
    ///
    /// @param walks generates the walk of a seed
    /// @param taker executes a walk
    /// @param budget time for finding a shorter failure
    public WalkSearch(LongFunction<Shrinkable<W>> walks, Taker<W> taker, Duration budget) {
        this(walks, List.of(taker), budget);
    }

    /// Creates a search with several concurrent walks. A walk depends only on its seed, so that a failed one fails
    /// again when it runs alone.
    ///
    /// @param walks generates the walk of a seed
    /// @param lanes each executes one walk at a time, on its own devices
    /// @param budget time for finding a shorter failure
    WalkSearch(LongFunction<Shrinkable<W>> walks, List<? extends Taker<W>> lanes, Duration budget) {
        this.walks = walks;
        this.lanes = lanes;
        this.budget = budget;
    }

    /// Returns the first seed. Without a number or a time, a run uses the same few seeds each time, so that a new
    /// failure indicates a change. Otherwise it uses new seeds.
    public static long firstSeed() {
        boolean asked = Integer.getInteger("walks") != null || !time().isZero();
        return Long.getLong("walks.seed", asked ? System.nanoTime() : 1);
    }

    /// Returns whether the long form is asked for.
    public static boolean isLong() {
        return !time().isZero();
    }

    /// Returns how long to go on.
    public static Duration time() {
        return Duration.ofMinutes(Long.getLong("walks.minutes", 0));
    }

    /// Executes the walks of `count` seeds from `first` on, and more while there is time.
    ///
    /// @param time time limit from now on
    /// @throws AssertionError if one fails, with the seed, the difference, and the steps that reproduce it
    public void run(long first, int count, Duration time) {
        System.out.println("walks: " + count + (time.isZero() ? "" : " and more for " + time) + " from seed " + first);
        JqwikSession.run(() -> {
            long deadline = System.nanoTime() + time.toNanos();
            if (lanes.size() == 1) {
                search(first, count, deadline);
                return;
            }
            var failed = new WalkLanes<W>(walks).search(lanes, first, count, deadline);
            if (failed != null) {
                throw report(failed.seed(), failed.walk(), failed.failure(), failed.lane());
            }
        });
    }

    private void search(long first, int count, long deadline) {
        for (long seed = first; seed < first + count || System.nanoTime() - deadline < 0; seed++) {
            Shrinkable<W> walk = walks.apply(seed);
            var failure = failure(lanes.getFirst(), walk.value(), Eventually.LIMIT);
            if (failure.isPresent()) {
                throw report(seed, walk, failure.get(), lanes.getFirst());
            }
        }
    }

    private AssertionError report(long seed, Shrinkable<W> walk, Deviation failure, Taker<W> lane) {
        long deadline = System.nanoTime() + budget.toNanos();
        Shrinkable<W> smallest = walk;
        Deviation shown = failure;
        while (true) {
            var shorter = smallest.shrink()
                    .takeWhile(_ -> System.nanoTime() < deadline)
                    .filter(candidate -> failure(lane, candidate.value(), SHORT_LIMIT).isPresent())
                    .findFirst();
            if (shorter.isEmpty()) {
                break;
            }
            smallest = shorter.get();
            shown = failure(lane, smallest.value(), SHORT_LIMIT).orElse(shown);
        }
        String packets = lane.packets(smallest.value());
        return new AssertionError(
                "the walk of seed " + seed + " went otherwise than the model says, at " + shown.getMessage()
                        + (packets.isEmpty() ? "" : "\n\nIts packets:\n" + packets) + "\n\n" + shown.program(),
                failure);
    }

    private Optional<Deviation> failure(Taker<W> lane, W walk, Duration limit) {
        try {
            lane.take(walk, limit);
            return Optional.empty();
        } catch (Deviation e) {
            return Optional.of(e);
        }
    }
}
