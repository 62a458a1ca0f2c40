// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Counts outstanding work, for one thread that waits until there is none.
final class Pending {
    private final AtomicInteger count = new AtomicInteger();
    private volatile @Nullable Thread waiting;

    void begin() {
        count.incrementAndGet();
    }

    void end() {
        if (count.decrementAndGet() == 0) {
            LockSupport.unpark(waiting);
        }
    }

    boolean isIdle() {
        return count.get() == 0;
    }

    int count() {
        return count.get();
    }

    /// Waits until no work is outstanding. An interrupt does not end the wait, but remains set.
    ///
    /// @return false after the timeout
    boolean await(Dispatcher dispatcher, long nanos) {
        long begin = System.nanoTime();
        boolean interrupted = false;
        waiting = Thread.currentThread();
        try {
            while (!isIdle()) {
                long left = nanos - (System.nanoTime() - begin);
                if (left <= 0) {
                    return false;
                }
                if (dispatcher.isPolledByHand()) {
                    dispatcher.pause();
                } else {
                    LockSupport.parkNanos(this, Math.min(left, 1_000_000_000L));
                }
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            waiting = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
