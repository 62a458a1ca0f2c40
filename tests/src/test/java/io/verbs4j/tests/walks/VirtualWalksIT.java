// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.HostFactory;
import io.verbs4j.tests.support.DeviceTest;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// As [RandomWalksIT], in virtual time: nobody waits for a timer, so that a processor takes some 15,000 steps a second. The long
/// form uses all processors.
@DeviceTest
@EnabledIfSystemProperty(
        named = HostFactory.PROPERTY,
        matches = ".+",
        disabledReason = "simulated devices only: a kernel has no virtual time")
class VirtualWalksIT {
    private static final int WALKS = 60;
    /// What lies between the first seeds of two threads.
    private static final long APART = 1_000_000_000;

    private final LongAdder steps = new LongAdder();

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void goAsTheModelSays() throws Exception {
        int threads = WalkSearch.isLong() ? Runtime.getRuntime().availableProcessors() : 1;
        long first = WalkSearch.firstSeed();
        long start = System.nanoTime();
        try (ExecutorService walkers = Executors.newFixedThreadPool(threads)) {
            var walks = LongStream.range(0, threads)
                    .mapToObj(number -> Executors.callable(() -> walk(first + number * APART)))
                    .toList();
            for (var walk : walkers.invokeAll(walks)) {
                walk.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e);
        } finally {
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("%d steps in virtual time, %.0f a second%n", steps.sum(), steps.sum() / seconds);
        }
        assertThat(steps.sum()).isPositive();
    }

    private void walk(long seed) {
        int walks = Long.getLong("walks.seed") == null ? WALKS : 1;
        try (var ends = new SimulatedEnds()) {
            WalkRun.search(
                    (walk, limit) -> steps.add(WalkRun.take(
                            walk, ends.open(walk.patient()), Quirk.ofThisKernel(), limit).size()),
                    WalkSearch.BUDGET)
                    .run(seed, Integer.getInteger("walks", walks), WalkSearch.time());
        }
    }
}
