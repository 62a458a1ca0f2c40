// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An `eventfd(2)`: a file descriptor that wakes a thread that waits in `ppoll`. It stays readable from [#signal()] to
/// [#drain()], so a signal before the wait is not lost.
final class WakeUp implements AutoCloseable {
    private static final MemorySegment ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1L);

    private final FileDescriptor file;

    /// @throws io.verbs4j.types.ResourceLimitException if the process has no file descriptor left
    WakeUp() {
        int fd = Syscalls.eventfd(LinuxConstants.EFD_CLOEXEC | LinuxConstants.EFD_NONBLOCK);
        file = new FileDescriptor(KernelErrors.check(SystemOperation.AWAIT_EVENT, fd));
    }

    /// Returns the descriptor to poll for reading. Only the owner may poll and close it.
    int number() {
        return file.number();
    }

    /// Makes it readable. Any thread may call this, even after [#close()].
    void signal() {
        int fd = file.acquire();
        if (fd >= 0) {
            Syscalls.write(fd, ONE);
            file.release();
        }
    }

    /// Makes it unreadable.
    void drain() {
        int fd = file.acquire();
        if (fd >= 0) {
            try (Arena arena = Arena.ofConfined()) {
                Syscalls.read(fd, arena.allocate(ValueLayout.JAVA_LONG));
            }
            file.release();
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
