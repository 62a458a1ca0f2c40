// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.device.Pauses;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Reads one event file for several waiting threads. One thread, the leader, sleeps in the kernel and delivers arriving
/// events. The other threads sleep until there is an event for them, or the leader leaves.
final class EventReader {
    private static final long RETRY_NANOS = 20_000;

    private final EventFile file;
    private final String operation;
    private final MemorySegment record;
    private final Delivery delivery;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean led;
    /// Number of times that a leader has left.
    private long leaderChanges;
    private volatile boolean closed;

    /// Stores an arrived record where [#await] finds it. Called with the reader's lock held.
    interface Delivery {
        void deliver(MemorySegment record);
    }

    /// @param operation name of the read operation in errors
    /// @param recordBytes length of a record
    EventReader(EventFile file, String operation, long recordBytes, Delivery delivery) {
        this.file = file;
        this.operation = operation;
        this.record = Arena.ofAuto().allocate(recordBytes, Long.BYTES);
        this.delivery = delivery;
    }

    EventFile file() {
        return file;
    }

    /// Holds delivered events.
    interface Source<T> {
        /// Takes an event. Called with the reader's lock held.
        ///
        /// @param before the argument of [#await]
        /// @return null if there is none
        @Nullable
        T take(long before);
    }

    /// Waits until the source returns an object.
    ///
    /// @param before passed to the source, so that all waits can use the same source
    /// @param deadline a value of [Deadline]
    /// @return the object, or null after the deadline
    <T> @Nullable T await(Source<T> source, long before, long deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                T object = source.take(before);
                if (object != null) {
                    return object;
                }
                requireOpen();
                if (led) {
                    long left = Deadline.left(deadline);
                    if (left <= 0) {
                        return null;
                    }
                    changed.await(left, TimeUnit.NANOSECONDS);
                } else if (!lead(deadline)) {
                    return source.take(before);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Sleeps in the kernel without the lock, and delivers one record.
    ///
    /// @return false after the deadline
    private boolean lead(long deadline) throws InterruptedException {
        led = true;
        lock.unlock();
        int got;
        try {
            got = deadline == Deadline.NOW ? file.take(record, 0) : file.takeBy(record, deadline);
        } finally {
            lock.lock();
            led = false;
            leaderChanges++;
            changed.signalAll();
        }
        if (got == -Errno.EINTR && Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (got == -Errno.EAGAIN || got == -Errno.EINTR) {
            return true;
        }
        requireOpen();
        if (got < 0) {
            throw KernelErrors.failure(
                    operation, -got, got == -Errno.EIO ? "the kernel has shut down the device's events" : "");
        }
        if (got == 0) {
            return false;
        }
        delivery.deliver(record);
        return true;
    }

    /// Runs `action` with the lock held, and makes all waiting threads check their conditions.
    void update(Runnable action) {
        try (var pauses = new Pauses()) {
            lock.lock();
            try {
                action.run();
                changed.signalAll();
                long turn = leaderChanges;
                while (led && leaderChanges == turn) {
                    // Repeats the wake-up, because it has no effect if the leader is not asleep yet.
                    file.wake();
                    lock.unlock();
                    try {
                        pauses.pause(RETRY_NANOS);
                    } finally {
                        lock.lock();
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(operation + ": the event source is closed");
        }
    }

    /// Ends all waits with `IllegalStateException` and closes the file.
    void close() {
        closed = true;
        file.close();
        update(() -> {});
    }
}
