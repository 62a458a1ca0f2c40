// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Events from a file descriptor of the kernel.
///
/// Reads never wait in the kernel; all waiting is done in [#await(long)].
public final class LinuxEventFile implements EventFile {
    private final FileDescriptor file;
    private final FileWaiters waiters;

    /// Takes over a file descriptor.
    ///
    /// @throws io.verbs4j.types.VerbsException if there is no such open file
    LinuxEventFile(int fileDescriptor) {
        file = new FileDescriptor(fileDescriptor);
        waiters = new FileWaiters(file);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
            int result = Syscalls.ioctl(fileDescriptor, LinuxConstants.FIONBIO, on);
            if (result < 0) {
                file.close();
                throw KernelErrors.failure(SystemOperation.AWAIT_EVENT, -result);
            }
        }
    }

    @Override
    public int fileDescriptor() {
        return file.number();
    }

    @Override
    public int await(long timeoutNanos) {
        return waiters.await(timeoutNanos);
    }

    /// Returns the number of threads that wait at this moment.
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
            return (int) Syscalls.read(fd, record);
        } finally {
            file.release();
        }
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
