// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The threads that wait until a file is readable.
///
/// Most of them wait in a `poll` of the file and a wake-up descriptor. None waits in a system call that neither an
/// interrupt nor [#close()] can end.
final class FileWaiters {
    private final FileDescriptor file;

    private final ReentrantLock lock = new ReentrantLock();
    /// The waiting threads; guarded by the lock.
    private final Set<Waiter> waiters = Collections.newSetFromMap(new IdentityHashMap<>());
    /// Waiters of platform threads, kept for the next wait because each has a file descriptor; guarded by the lock.
    private final Deque<BlockingWaiter> idle = new ArrayDeque<>();
    /// Waiters that wait in a read.
    private final Deque<ReadingWaiter> idleReaders = new ArrayDeque<>();

    FileWaiters(FileDescriptor file) {
        this.file = file;
    }

    /// Waits, as specified by [io.verbs4j.abi.device.PollableFile#await(long)].
    int await(long timeoutNanos) {
        int fd = file.acquire();
        if (fd < 0) {
            return fd;
        }
        try {
            return timeoutNanos == 0 ? PollSet.look(fd) : enterAndAwait(timeoutNanos);
        } catch (VerbsException e) {
            return -e.errno();
        } finally {
            file.release();
        }
    }

    /// Waits in a read and takes the record, as specified by [io.verbs4j.abi.device.EventFile#takeBy]. The caller has
    /// acquired the file.
    int take(MemorySegment record, long deadline, WakingSignal signal) {
        if (!(enter(signal) instanceof ReadingWaiter waiter)) {
            return -Errno.EBADF;
        }
        try {
            return waiter.take(file, record, deadline);
        } finally {
            leave(waiter);
        }
    }

    private int enterAndAwait(long timeoutNanos) {
        if (!(enter(null) instanceof PollingWaiter waiter)) {
            return -Errno.EBADF;
        }
        try {
            return waiter.await(file, timeoutNanos);
        } finally {
            leave(waiter);
        }
    }

    private PollingWaiter pollingWaiter() {
        if (Thread.currentThread().isVirtual()) {
            return new ParkingWaiter();
        }
        BlockingWaiter used = idle.poll();
        return used == null ? new BlockingWaiter() : used;
    }

    private ReadingWaiter readingWaiter(WakingSignal signal) {
        ReadingWaiter used = idleReaders.poll();
        return used == null ? new ReadingWaiter(signal) : used;
    }

    /// Adds a waiting thread.
    ///
    /// @param signal ends the wait in a read; null to wait in a poll
    /// @return null if the file was closed
    private @Nullable Waiter enter(@Nullable WakingSignal signal) {
        lock.lock();
        try {
            if (file.isClosed()) {
                return null;
            }
            Waiter waiter = signal == null ? pollingWaiter() : readingWaiter(signal);
            waiters.add(waiter);
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// Returns the number of threads that are currently waiting.
    int waiting() {
        lock.lock();
        try {
            return waiters.size();
        } finally {
            lock.unlock();
        }
    }

    private void leave(Waiter waiter) {
        lock.lock();
        try {
            waiters.remove(waiter);
            switch (waiter) {
                case BlockingWaiter one when file.isClosed() -> one.close();
                case ReadingWaiter one when file.isClosed() -> one.close();
                case BlockingWaiter one -> {
                    one.reset();
                    idle.push(one);
                }
                case ReadingWaiter one -> {
                    one.reset();
                    idleReaders.push(one);
                }
                case ParkingWaiter _ -> {}
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes all present waits return `-EINTR`.
    void wake() {
        lock.lock();
        try {
            for (Waiter waiter : waiters) {
                waiter.end(-Errno.EINTR);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Closes the file and ends all waits.
    void close() {
        lock.lock();
        try {
            file.close();
            for (Waiter waiter : waiters) {
                waiter.end(-Errno.EBADF);
            }
            while (!idle.isEmpty()) {
                idle.pop().close();
            }
            while (!idleReaders.isEmpty()) {
                idleReaders.pop().close();
            }
        } finally {
            lock.unlock();
        }
    }
}
