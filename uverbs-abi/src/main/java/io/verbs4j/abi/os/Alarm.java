// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Rings when a wait is late.
///
/// It is set seldom, not for each wait: an alarm stays set after its wait has ended, and when it rings, it queries the
/// deadline of the current wait. A thread that waits at most ten seconds for each of many messages therefore sets it
/// once in ten seconds.
final class Alarm implements AutoCloseable {
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

    /// The thread that rings all alarms; it lives once the first one is set.
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

    /// Sets the alarm to a time, unless it rings earlier anyway; at most an hour ahead.
    ///
    /// @param wanted in terms of `System.nanoTime()`
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
            long nanos = Math.clamp(wanted - System.nanoTime(), 0, LONGEST_NANOS);
            task = Ringer.THREAD.schedule(() -> ring(wanted), nanos, TimeUnit.NANOSECONDS);
        } finally {
            lock.unlock();
        }
    }

    private void ring(long planned) {
        lock.lock();
        try {
            if (!set || time != planned) {
                return; // set anew while it was about to ring
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
