// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Events from a file descriptor of the kernel.
///
/// It has two modes, `O_NONBLOCK` and blocking. [#read] never waits in the kernel. A platform thread's [#take] waits in
/// the kernel if the [WakingSignal] can interrupt it. A check without waiting is one system call if the mode permits
/// it. Changing the mode is a system call, but rare: one thread at a time reads a file, usually in the same way.
public final class LinuxEventFile implements EventFile {
    private final FileDescriptor file;
    private final FileWaiters waiters;
    /// The last requested mode. A reader has acquired the file.
    private volatile boolean nonBlocking;

    /// Takes over a file descriptor.
    ///
    /// @throws io.verbs4j.types.VerbsException if the file is not open
    LinuxEventFile(int fileDescriptor) {
        file = new FileDescriptor(fileDescriptor);
        waiters = new FileWaiters(file);
        int result = nonBlocking(true);
        if (result < 0) {
            file.close();
            throw KernelErrors.failure(SystemOperation.AWAIT_EVENT, -result);
        }
    }

    /// Changes the mode.
    private int nonBlocking(boolean wanted) {
        if (wanted == nonBlocking) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(ValueLayout.JAVA_INT, wanted ? 1 : 0);
            int result = Syscalls.ioctl(file.number(), LinuxConstants.FIONBIO, on);
            if (result >= 0) {
                nonBlocking = wanted;
            }
            return result;
        }
    }

    @Override
    public int fileDescriptor() {
        return file.number();
    }

    @Override
    public boolean isOfSystem() {
        return true;
    }

    @Override
    public int await(long timeoutNanos) {
        return waiters.await(timeoutNanos);
    }

    /// Returns the number of threads that are currently waiting.
    int waiting() {
        return waiters.waiting();
    }

    @Override
    public int read(MemorySegment record) {
        int fd = file.acquire();
        if (fd < 0) {
            return fd;
        }
        try {
            int result = nonBlocking(true);
            return result < 0 ? result : (int) Syscalls.read(fd, record);
        } finally {
            file.release();
        }
    }

    @Override
    public int take(MemorySegment record, long timeoutNanos) {
        if (timeoutNanos == 0 && nonBlocking) {
            int result = read(record);
            if (result != 0) { // at the end of a pipe, polling reports more
                return result == -Errno.EAGAIN ? 0 : result;
            }
        }
        if (timeoutNanos == 0 || WakingSignal.ofCurrentThread() == null) {
            return EventFile.super.take(record, timeoutNanos);
        }
        return takeBy(record, timeoutNanos < 0 ? Deadline.NEVER : Deadline.within(timeoutNanos));
    }

    @Override
    public int takeBy(MemorySegment record, long deadline) {
        WakingSignal signal = WakingSignal.ofCurrentThread();
        if (signal == null) {
            return EventFile.super.takeBy(record, deadline);
        }
        int fd = file.acquire();
        if (fd < 0) {
            return fd;
        }
        try {
            int result = nonBlocking(false);
            if (result >= 0) {
                result = waiters.take(record, deadline, signal);
            }
            // A record that has just arrived is taken.
            return result == 0 || result == -Errno.EINTR ? lastLook(record, result) : result;
        } finally {
            file.release();
        }
    }

    private int lastLook(MemorySegment record, int otherwise) {
        return await(0) > 0 ? read(record) : otherwise;
    }

    @Override
    public void wake() {
        waiters.wake();
    }

    @Override
    public void close() {
        waiters.close();
    }
}
