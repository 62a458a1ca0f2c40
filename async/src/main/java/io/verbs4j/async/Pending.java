// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Counts outstanding work, for threads that wait until there is none. Usually, at most one thread waits.
final class Pending {
    /// How often a thread that polls checks that the device still exists.
    private static final long CHECK_NANOS = 100_000_000;
    /// The longest sleep, in case a wake-up is lost.
    private static final long SLEEP_NANOS = 1_000_000_000;

    private final AtomicInteger count = new AtomicInteger();
    private final List<Thread> waiting = new CopyOnWriteArrayList<>();

    void begin() {
        count.incrementAndGet();
    }

    void end() {
        if (count.decrementAndGet() == 0) {
            waiting.forEach(LockSupport::unpark);
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
        if (isIdle()) {
            return true;
        }
        long begin = System.nanoTime();
        long check = CHECK_NANOS;
        boolean interrupted = false;
        Thread here = Thread.currentThread();
        waiting.add(here);
        try {
            while (!isIdle()) {
                long passed = System.nanoTime() - begin;
                if (passed >= nanos) {
                    return false;
                }
                if (!dispatcher.isPolledByHand()) {
                    LockSupport.parkNanos(this, Math.min(nanos - passed, SLEEP_NANOS));
                } else if (passed < check) {
                    dispatcher.pause();
                } else {
                    dispatcher.endIfRemoved();
                    check = passed + CHECK_NANOS;
                }
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            waiting.remove(here);
            if (interrupted) {
                here.interrupt();
            }
        }
    }
}
