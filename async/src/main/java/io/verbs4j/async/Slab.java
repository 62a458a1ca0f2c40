// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One piece of a pool's region, and its users: a program, the device, both or none.
final class Slab {
    /// Set while a program holds the slab. The lower bits count the work requests that use the slab.
    private static final int HELD = 1 << 30;

    final SlabPool pool;
    final int index;
    final long offset;
    final MemorySegment segment;
    /// The lease, for a pool without leak detection.
    final Lease lease = new Lease(this, null);
    /// The newest lease, for a pool with leak detection.
    volatile @Nullable LeakRecord record;

    private final AtomicInteger users = new AtomicInteger();

    Slab(SlabPool pool, int index, long offset, MemorySegment segment) {
        this.pool = pool;
        this.index = index;
        this.offset = offset;
        this.segment = segment;
    }

    /// Records that a program has taken the slab from the pool.
    void hold() {
        users.set(HELD);
    }

    boolean isHeld() {
        return (users.get() & HELD) != 0;
    }

    /// Records that the program has returned the slab. Idempotent.
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

    /// Records that work with the slab begins.
    ///
    /// @return false if the program no longer holds the slab; it may already belong to another lease
    boolean pin() {
        int seen = users.get();
        while ((seen & HELD) != 0) {
            int present = users.compareAndExchange(seen, seen + 1);
            if (present == seen) {
                return true;
            }
            seen = present;
        }
        return false;
    }

    /// Records that work with the slab has ended.
    void unpin() {
        if (users.decrementAndGet() == 0) {
            pool.takeBack(this);
        }
    }
}
