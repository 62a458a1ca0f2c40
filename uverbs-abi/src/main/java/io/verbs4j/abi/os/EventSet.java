// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/// A set of file descriptors that one thread waits for (`epoll(7)`). The set has its own file descriptor, which is
/// readable while any descriptor in the set is readable. Thread-safe, except for waits.
public final class EventSet implements AutoCloseable {
    /// On x86-64, `struct epoll_event` has no padding.
    private static final boolean PACKED = "amd64".equals(System.getProperty("os.arch"));
    private static final long DATA = PACKED ? Integer.BYTES : Long.BYTES;
    private static final long ENTRY_BYTES = DATA + Long.BYTES;
    private static final int CAPACITY = 64;

    private final FileDescriptor file;
    private final MemorySegment events = Arena.ofAuto().allocate(CAPACITY * ENTRY_BYTES, Long.BYTES);
    private final MemorySegment errno = Arena.ofAuto().allocate(Syscalls.STATE);

    /// Creates an empty set.
    ///
    /// @throws io.verbs4j.types.ResourceLimitException if the process has no file descriptor left
    public EventSet() {
        file = new FileDescriptor(
                KernelErrors.check(
                        SystemOperation.AWAIT_EVENT, EpollSyscalls.create(LinuxConstants.EPOLL_CLOEXEC)));
    }

    /// Adds a file descriptor. Remove it before it is closed.
    ///
    /// @param id [#take] reports it while the descriptor is readable
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses to report the events
    public void add(int fd, long id) {
        KernelErrors.check(
                SystemOperation.AWAIT_EVENT,
                control(LinuxConstants.EPOLL_CTL_ADD, fd, id, LinuxConstants.EPOLLIN));
    }

    /// Changes whether a file descriptor of the set is reported. Needs no memory of the kernel, unlike adding.
    public void report(int fd, long id, boolean reported) {
        control(LinuxConstants.EPOLL_CTL_MOD, fd, id, reported ? LinuxConstants.EPOLLIN : 0);
    }

    /// Removes a file descriptor. Does nothing if the set does not contain it.
    public void remove(int fd) {
        control(LinuxConstants.EPOLL_CTL_DEL, fd, 0, 0);
    }

    private int control(int operation, int fd, long id, int reported) {
        int epoll = file.acquire();
        if (epoll < 0) {
            return epoll;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(ENTRY_BYTES, Long.BYTES);
            event.set(JAVA_INT, 0, reported);
            event.set(JAVA_LONG_UNALIGNED, DATA, id);
            return EpollSyscalls.control(epoll, operation, fd, event);
        } finally {
            file.release();
        }
    }

    /// Makes another file descriptor of this process refer to the set (`dup3(2)`). The kernel closes that descriptor's
    /// former file.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    public void replace(int fd) {
        int epoll = file.acquire();
        try {
            KernelErrors.check(
                    SystemOperation.AWAIT_EVENT, EpollSyscalls.dup3(epoll, fd, LinuxConstants.EPOLL_CLOEXEC));
        } finally {
            if (epoll >= 0) {
                file.release();
            }
        }
    }

    /// Reports readable descriptors. One thread at a time may call this.
    ///
    /// @param waits true to wait, without a timeout, until a descriptor is readable
    /// @param found called with the id of each
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    public void take(boolean waits, LongConsumer found) {
        int epoll = file.acquire();
        if (epoll < 0) {
            return;
        }
        try {
            int count = KernelErrors.check(
                    SystemOperation.AWAIT_EVENT,
                    EpollSyscalls.await(epoll, events, CAPACITY, waits ? -1 : 0, errno));
            for (int i = 0; i < count; i++) {
                found.accept(events.get(JAVA_LONG_UNALIGNED, i * ENTRY_BYTES + DATA));
            }
        } finally {
            file.release();
        }
    }

    /// Closes the set, as soon as no call uses it. Idempotent.
    @Override
    public void close() {
        file.close();
    }
}
