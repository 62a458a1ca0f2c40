// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.Eventually;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import net.jqwik.api.Shrinkable;
import org.jspecify.annotations.Nullable;

/// Executes walks concurrently until one fails. The caller's thread generates all walks, because jqwik's state is not
/// thread-safe.
///
/// @param <W> a walk
final class WalkLanes<W> {
    /// Time for which a lane waits for a walk before it looks if there will be any.
    private static final long LOOK_MILLIS = 20;

    /// A walk that failed.
    ///
    /// @param lane the lane that executed it
    record Failed<W>(long seed, Shrinkable<W> walk, WalkSearch.Deviation failure, WalkSearch.Taker<W> lane) {}

    private record Created<W>(long seed, Shrinkable<W> walk, W value) {}

    private final LongFunction<Shrinkable<W>> walks;
    /// Few, so that nobody waits long for the rest when the time is over.
    private final BlockingQueue<Created<W>> made = new ArrayBlockingQueue<>(2);
    private volatile boolean all;
    private volatile @Nullable Failed<W> failed;

    /// @param walks makes the walk of a seed
    WalkLanes(LongFunction<Shrinkable<W>> walks) {
        this.walks = walks;
    }

    /// Executes the walks of `count` seeds from `first` on, and more until `deadline`.
    ///
    /// @return the first that failed; null if none did
    @Nullable
    Failed<W> search(List<? extends WalkSearch.Taker<W>> lanes, long first, int count, long deadline) {
        try (var threads = Executors.newFixedThreadPool(lanes.size())) {
            List<? extends Future<?>> ends = lanes.stream().map(lane -> threads.submit(() -> work(lane))).toList();
            try {
                make(ends, first, count, deadline);
            } catch (InterruptedException e) {
                threads.shutdownNow();
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            } finally {
                all = true;
            }
            for (Future<?> end : ends) {
                requireNoFault(end);
            }
        }
        return failed;
    }

    private void make(List<? extends Future<?>> ends, long first, int count, long deadline)
            throws InterruptedException {
        for (long seed = first; seed < first + count || System.nanoTime() - deadline < 0; seed++) {
            Shrinkable<W> walk = walks.apply(seed);
            var next = new Created<>(seed, walk, walk.value());
            while (!made.offer(next, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (ends.stream().allMatch(Future::isDone)) {
                    return;
                }
            }
            if (ends.stream().anyMatch(Future::isDone)) {
                return; // something failed
            }
        }
    }

    private static void requireNoFault(Future<?> end) {
        try {
            end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private Void work(WalkSearch.Taker<W> lane) throws InterruptedException {
        while (failed == null) {
            var next = made.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (next != null) {
                take(lane, next);
            } else if (all) {
                break;
            }
        }
        return null;
    }

    private void take(WalkSearch.Taker<W> lane, Created<W> next) {
        try {
            lane.take(next.value, Eventually.LIMIT);
        } catch (WalkSearch.Deviation e) {
            synchronized (this) {
                if (failed == null) {
                    failed = new Failed<>(next.seed, next.walk, e, lane);
                }
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("the walk of seed " + next.seed + " broke off: " + e, e);
        }
    }
}
