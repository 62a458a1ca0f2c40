// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The threads that wait until a file can be read.
///
/// None of them waits in a system call on the file itself, from where neither an interrupt nor [#close()] could fetch it back.
final class FileWaiters {
    private final FileDescriptor file;

    private final ReentrantLock lock = new ReentrantLock();
    /// The threads that wait; guarded by the lock.
    private final Set<Waiter> waiters = Collections.newSetFromMap(new IdentityHashMap<>());
    /// Waiters of platform threads, kept for the next wait because each has a file descriptor; guarded by the lock.
    private final Deque<BlockingWaiter> idle = new ArrayDeque<>();

    FileWaiters(FileDescriptor file) {
        this.file = file;
    }

    /// Waits, as [io.verbs4j.abi.device.PollableFile#await(long)] says.
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

    private int enterAndAwait(long timeoutNanos) {
        Waiter waiter = enter();
        if (waiter == null) {
            return -Errno.EBADF;
        }
        try {
            return waiter.await(file, timeoutNanos);
        } finally {
            leave(waiter);
        }
    }

    /// Joins the threads that wait.
    ///
    /// @return null if the file was closed
    private @Nullable Waiter enter() {
        lock.lock();
        try {
            if (file.isClosed()) {
                return null;
            }
            Waiter waiter;
            if (Thread.currentThread().isVirtual()) {
                waiter = new ParkingWaiter();
            } else {
                BlockingWaiter used = idle.poll();
                waiter = used == null ? new BlockingWaiter() : used;
            }
            waiters.add(waiter);
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// Returns the number of threads that wait at this moment.
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
            if (waiter instanceof BlockingWaiter reusable) {
                if (file.isClosed()) {
                    reusable.close();
                } else {
                    reusable.reset();
                    idle.push(reusable);
                }
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
        } finally {
            lock.unlock();
        }
    }
}
