// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.EventFile;
import io.verbs4j.abi.KernelErrors;
import io.verbs4j.abi.Verb;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Events from a file descriptor of the kernel.
///
/// Reads never wait in the kernel, from where neither an interrupt nor [#close()] could fetch a thread back; all waiting is
/// done in [#await(long)].
public final class LinuxEventFile implements EventFile {
    private final FileDescriptor file;

    private final ReentrantLock lock = new ReentrantLock();
    /// The threads that wait; guarded by the lock.
    private final Set<Waiter> waiters = Collections.newSetFromMap(new IdentityHashMap<>());
    /// Waiters of platform threads, kept for the next wait because each has a file descriptor; guarded by the lock.
    private final Deque<BlockingWaiter> idle = new ArrayDeque<>();

    /// Takes over a file descriptor.
    ///
    /// @throws io.verbs4j.types.VerbsException if there is no such open file
    LinuxEventFile(int fileDescriptor) {
        file = new FileDescriptor(fileDescriptor);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
            int result = Syscalls.ioctl(fileDescriptor, LinuxConstants.FIONBIO, on);
            if (result < 0) {
                file.close();
                throw KernelErrors.failure(Verb.AWAIT_EVENT, -result);
            }
        }
    }

    @Override
    public int fileDescriptor() {
        return file.number();
    }

    @Override
    public int await(long timeoutNanos) {
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

    /// How many threads wait at this moment.
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

    @Override
    public int read(MemorySegment record) {
        int fd = file.acquire();
        if (fd < 0) {
            return fd;
        }
        try {
            return (int) Syscalls.read(fd, record);
        } finally {
            file.release();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            for (Waiter waiter : waiters) {
                waiter.end(-Errno.EINTR);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
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
