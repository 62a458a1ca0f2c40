// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/// File descriptors that one thread polls for reading, with their memory. Waits are frequent, so field offsets are
/// constants.
final class PollSet {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long ENTRY_BYTES = LinuxStructs.POLLFD.size();
    private static final long FD = LinuxStructs.POLLFD.offset("fd");
    private static final long EVENTS = LinuxStructs.POLLFD.offset("events");
    private static final long REVENTS = LinuxStructs.POLLFD.offset("revents");
    private static final long SECONDS = LinuxStructs.KERNEL_TIMESPEC.offset("tv_sec");
    private static final long NANOS = LinuxStructs.KERNEL_TIMESPEC.offset("tv_nsec");

    private final MemorySegment descriptors;
    private final MemorySegment timespec;
    private final MemorySegment state;

    /// @param capacity maximum number of descriptors
    PollSet(Arena arena, int capacity) {
        descriptors = arena.allocate(LinuxStructs.POLLFD.layout(), capacity);
        timespec = LinuxStructs.KERNEL_TIMESPEC.allocate(arena);
        state = arena.allocate(Syscalls.STATE);
    }

    /// Stores a descriptor at an index.
    void set(int place, int fd) {
        long entry = place * ENTRY_BYTES;
        descriptors.set(JAVA_INT, entry + FD, fd);
        descriptors.set(JAVA_SHORT, entry + EVENTS, (short) LinuxConstants.POLLIN);
        descriptors.set(JAVA_SHORT, entry + REVENTS, (short) 0);
    }

    /// Waits until one of the first `count` descriptors is readable.
    ///
    /// @param timeoutNanos the longest wait; a negative number waits indefinitely
    /// @return the number of readable descriptors, 0 after the timeout, or a negated errno; `-EINTR` after a signal
    int poll(int count, long timeoutNanos) {
        if (timeoutNanos < 0) {
            return Syscalls.ppoll(descriptors, count, MemorySegment.NULL, state);
        }
        timespec.set(JAVA_LONG, SECONDS, timeoutNanos / NANOS_PER_SECOND);
        timespec.set(JAVA_LONG, NANOS, timeoutNanos % NANOS_PER_SECOND);
        return Syscalls.ppoll(descriptors, count, timespec, state);
    }

    /// Returns the result of the last poll at an index, as [io.verbs4j.abi.device.EventFile#await(long)] does. It is 1
    /// if a record can be read, 0 if not, `-EIO` if there will be no more records, and `-EBADF` if the descriptor is
    /// closed.
    int readiness(int place) {
        int found = descriptors.get(JAVA_SHORT, place * ENTRY_BYTES + REVENTS);
        if ((found & LinuxConstants.POLLIN) != 0) {
            return 1;
        }
        if ((found & LinuxConstants.POLLNVAL) != 0) {
            return -Errno.EBADF;
        }
        return (found & (LinuxConstants.POLLERR | LinuxConstants.POLLHUP)) != 0 ? -Errno.EIO : 0;
    }

    /// Checks one descriptor without waiting. Returns the same values as [#readiness(int)].
    static int look(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            var set = new PollSet(arena, 1);
            set.set(0, fd);
            int result;
            do {
                result = set.poll(1, 0);
            } while (result == -Errno.EINTR);
            return result < 0 ? result : set.readiness(0);
        }
    }
}
