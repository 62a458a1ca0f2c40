// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The system calls of [EventSet], like those of [Syscalls].
final class EpollSyscalls {
    private static final class Create {
        static final MethodHandle HANDLE =
                Syscalls.link("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    private static final class Control {
        static final MethodHandle HANDLE = Syscalls.link(
                "epoll_ctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    }

    private static final class Wait {
        private static final FunctionDescriptor SHAPE =
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
        static final MethodHandle HANDLE = Syscalls.link("epoll_wait", SHAPE);
        static final MethodHandle WITHOUT_ERRNO = Syscalls.linkWithoutErrno("epoll_wait", SHAPE);
    }

    private static final class Dup3 {
        static final MethodHandle HANDLE =
                Syscalls.link("dup3", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    }

    private EpollSyscalls() {}

    /// `epoll_create1(flags)`.
    ///
    /// @return the file descriptor
    static int create(int flags) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Create.HANDLE.invokeExact(state, flags);
            return result == -1 ? -Syscalls.errno(state) : result;
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `epoll_ctl(epoll, operation, fd, event)`.
    static int control(int epoll, int operation, int fd, MemorySegment event) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Control.HANDLE.invokeExact(state, epoll, operation, fd, event);
            return result == -1 ? -Syscalls.errno(state) : result;
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `epoll_wait(epoll, events, capacity, timeout)`. May block, so it uses no shared slot. Gets the errno as
    /// [Syscalls#write] does.
    ///
    /// @param events array of `struct epoll_event`
    /// @param timeoutMillis negative to wait without limit
    /// @param state buffer for the errno, of [Syscalls#STATE]
    /// @return the number of events
    static int await(int epoll, MemorySegment events, int capacity, int timeoutMillis, MemorySegment state) {
        try {
            int result = (int) Wait.WITHOUT_ERRNO.invokeExact(epoll, events, capacity, timeoutMillis);
            if (result != -1) {
                return result;
            }
            do {
                result = (int) Wait.HANDLE.invokeExact(state, epoll, events, capacity, timeoutMillis);
            } while (result == -1 && Syscalls.interrupted(state));
            return result == -1 ? -Syscalls.errno(state) : result;
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        }
    }

    /// `dup3(fd, target, flags)`.
    static int dup3(int fd, int target, int flags) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result;
            do {
                result = (int) Dup3.HANDLE.invokeExact(state, fd, target, flags);
            } while (result == -1 && Syscalls.interrupted(state));
            return result == -1 ? -Syscalls.errno(state) : result;
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }
}
