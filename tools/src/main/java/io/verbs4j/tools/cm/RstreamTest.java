// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import java.util.ArrayList;
import java.util.List;

/// One of rstream's tests.
///
/// @param name name in the table
/// @param bytes size of a transfer
/// @param transfers number of transfers that one side sends before the other
/// @param iterations number of repetitions
record RstreamTest(String name, int bytes, int transfers, int iterations) {
    private static final int SMALLEST_POWER = 6;
    private static final int LARGEST_POWER = 22;

    /// Returns the sizes of the tests: 64, 4096, 65536 and 1048576, or all powers of two and the values in between.
    static List<Integer> sizes(boolean all) {
        if (!all) {
            return List.of(1 << 6, 1 << 12, 1 << 16, 1 << 20);
        }
        List<Integer> sizes = new ArrayList<>();
        for (int power = SMALLEST_POWER; power <= LARGEST_POWER; power++) {
            sizes.add(1 << power);
            if (power > SMALLEST_POWER) {
                sizes.add((1 << power) + (1 << (power - 1)));
            }
        }
        return sizes;
    }

    static RstreamTest latency(int bytes) {
        return new RstreamTest(RstreamReport.size(bytes) + "_lat", bytes, 1, repetitions(bytes));
    }

    static RstreamTest bandwidth(int bytes) {
        return new RstreamTest(RstreamReport.size(bytes) + "_bw", bytes, repetitions(bytes), 1);
    }

    private static int repetitions(int bytes) {
        if (bytes >= 1 << 20) {
            return 100;
        }
        if (bytes >= 1 << 16) {
            return 1000;
        }
        return bytes >= 1 << 10 ? 10_000 : 100_000;
    }
}
