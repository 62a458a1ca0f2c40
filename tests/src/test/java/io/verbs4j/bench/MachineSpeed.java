// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.util.SplittableRandom;

/// Measures the speed of the machine, to show whether it was the same during all cases.
final class MachineSpeed {
    private static final int STEPS = 10_000_000;
    private static final int LOADS = 500_000;
    /// Integers of a cache line.
    private static final int LINE = 16;
    private static final int LINES = 1 << 20;

    /// One load per cache line of 64 MiB, more than most caches hold: each line contains the index of the next one, in
    /// random order.
    private final int[] chain = new int[LINES * LINE];
    private int place;
    private long product = 1;

    MachineSpeed() {
        var random = new SplittableRandom(1);
        for (int line = 0; line < LINES; line++) {
            chain[line * LINE] = line * LINE;
        }
        for (int line = LINES - 1; line > 0; line--) { // Sattolo's algorithm: a single cycle
            int other = random.nextInt(line) * LINE;
            int next = chain[other];
            chain[other] = chain[line * LINE];
            chain[line * LINE] = next;
        }
        loopNanos(); // compiles both
        memoryNanos();
    }

    /// Returns the nanoseconds of a multiplication and an addition, each of which needs the previous result.
    double loopNanos() {
        long start = System.nanoTime();
        long value = product;
        for (int i = 0; i < STEPS; i++) {
            value = value * 0x5851_f42d_4c95_7f2dL + 1;
        }
        product = value;
        return (double) (System.nanoTime() - start) / STEPS;
    }

    /// Returns the nanoseconds of a load from memory, whose address is the result of the previous load.
    double memoryNanos() {
        long start = System.nanoTime();
        int at = place;
        for (int i = 0; i < LOADS; i++) {
            at = chain[at];
        }
        place = at;
        return (double) (System.nanoTime() - start) / LOADS;
    }
}
