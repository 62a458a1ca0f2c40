// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.time.Duration;
import java.util.Arrays;

/// Timeouts adapted to the machine. A timeout applies to an emulated guest on an idle machine. A slower machine gets
/// longer ones, according to the duration of a fixed piece of work.
final class TimeoutScale {
    private static final int SAMPLES = 9;
    private static final int STEPS = 400_000;
    /// Time that the work takes in an emulated guest on an idle machine.
    private static final long USUAL_NANOS = 12_000_000;
    private static final int MAX_FACTOR = 10;

    private static final double FACTOR = Math.clamp((double) median() / USUAL_NANOS, 1, MAX_FACTOR);

    private TimeoutScale() {}

    /// Returns a limit for this machine, from one to ten times as long.
    static Duration scaled(Duration limit) {
        return Duration.ofMillis((long) (limit.toMillis() * FACTOR));
    }

    private static long median() {
        long[] samples = new long[SAMPLES];
        long sum = 0;
        for (int sample = 0; sample < SAMPLES; sample++) {
            long start = System.nanoTime();
            for (int step = 0; step < STEPS; step++) {
                sum = sum * 6364136223846793005L + step;
            }
            samples[sample] = System.nanoTime() - start + (sum & 1);
        }
        Arrays.sort(samples);
        return samples[SAMPLES / 2];
    }

    /// Prints the factor, and the time that the work took.
    static void main() {
        System.out.println(FACTOR + " " + median());
    }
}
