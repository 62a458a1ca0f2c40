// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Ends waits that exceed their deadline.
///
/// It is set rarely, not for each wait. An alarm stays set after its wait has ended; when it rings, it checks the
/// deadline of the current wait. A thread that waits at most ten seconds for each of many messages therefore sets it
/// once in ten seconds.
final class Alarm implements AutoCloseable {
    private static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

    /// The thread that rings all alarms. It starts when the first one is set.
    private static final class Ringer {
        static final ScheduledThreadPoolExecutor THREAD = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("verbs4j-alarm").factory());

        static {
            THREAD.setRemoveOnCancelPolicy(true);
        }
    }

    private final LongSupplier action;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ScheduledFuture<?> task;
    /// True if it will ring, at `time` by `System.nanoTime()`; both are written with the lock held.
    private volatile boolean set;

    private volatile long time;

    /// @param action ends late waits, and returns the nanoseconds until its next call, or a negative number
    Alarm(LongSupplier action) {
        this.action = action;
    }

    /// Sets the alarm to a time, at most an hour ahead. Does nothing if it rings earlier.
    ///
    /// @param wanted the time by `System.nanoTime()`
    void by(long wanted) {
        if (!set || wanted - time < 0) {
            set(wanted);
        }
    }

    private void set(long wanted) {
        lock.lock();
        try {
            if (set && wanted - time >= 0) {
                return;
            }
            if (task != null) {
                task.cancel(false);
            }
            time = wanted;
            set = true;
            long nanos = Math.clamp(wanted - System.nanoTime(), 0, MAX_NANOS);
            task = Ringer.THREAD.schedule(() -> ring(wanted), nanos, TimeUnit.NANOSECONDS);
        } finally {
            lock.unlock();
        }
    }

    private void ring(long planned) {
        lock.lock();
        try {
            if (!set || time != planned) {
                return; // set again while it was about to ring
            }
            set = false;
        } finally {
            lock.unlock();
        }
        long again = action.getAsLong();
        if (again >= 0) {
            by(System.nanoTime() + again);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (task != null) {
                task.cancel(false);
            }
            set = false;
        } finally {
            lock.unlock();
        }
    }
}
