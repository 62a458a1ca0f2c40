// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One piece of a pool's region, and who has it: a program, the device, both or nobody.
final class Slab {
    /// Set while a program has it; below, how many works of the device use it.
    private static final int HELD = 1 << 30;

    final SlabPool pool;
    final int index;
    final long offset;
    final MemorySegment segment;
    /// The lease of a pool that does not look for leaks.
    final Lease lease = new Lease(this, null);
    /// The newest lease of a pool that does.
    volatile @Nullable LeakRecord record;

    private final AtomicInteger users = new AtomicInteger();

    Slab(SlabPool pool, int index, long offset, MemorySegment segment) {
        this.pool = pool;
        this.index = index;
        this.offset = offset;
        this.segment = segment;
    }

    /// A program has taken it from the pool.
    void hold() {
        users.set(HELD);
    }

    boolean isHeld() {
        return (users.get() & HELD) != 0;
    }

    /// The program does not want it any more. Does nothing if it said so before.
    void giveUp() {
        while (true) {
            int seen = users.get();
            if ((seen & HELD) == 0) {
                return;
            }
            if (users.compareAndSet(seen, seen & ~HELD)) {
                if (seen == HELD) {
                    pool.takeBack(this);
                }
                return;
            }
        }
    }

    /// Work with it begins.
    void pin() {
        users.incrementAndGet();
    }

    /// Work with it has ended.
    void unpin() {
        if (users.decrementAndGet() == 0) {
            pool.takeBack(this);
        }
    }
}
