// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.threads;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/// Identifiers from 0, each of which must come exactly once; a bit for each. Safe for many threads.
final class Ledger {
    private final int size;
    private final AtomicLongArray bits;
    private final AtomicInteger missing;

    /// @param size how many identifiers there are
    Ledger(int size) {
        this.size = size;
        this.bits = new AtomicLongArray((size + Long.SIZE - 1) / Long.SIZE);
        this.missing = new AtomicInteger(size);
    }

    /// Notes an identifier.
    void note(long id) {
        if (id < 0 || id >= size) {
            throw new AssertionError("completion of a work request that nobody posted: " + id);
        }
        long bit = 1L << (id % Long.SIZE);
        if ((bits.getAndAccumulate((int) (id / Long.SIZE), bit, (a, b) -> a | b) & bit) != 0) {
            throw new AssertionError("second completion of work request " + id);
        }
        missing.decrementAndGet();
    }

    /// Returns the number that have not come yet.
    int missing() {
        return missing.get();
    }

    @Override
    public String toString() {
        int first = 0;
        while (first < size && (bits.get(first / Long.SIZE) >>> (first % Long.SIZE) & 1) != 0) {
            first++;
        }
        return missing() + " of " + size + " missing, the first of them " + first;
    }
}
