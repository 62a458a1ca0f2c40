// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.types.Errno;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// The system calls, through the C library's wrappers. A failure is a negated error number.
///
/// Each call is linked when it is first used: linking a downcall takes milliseconds, and most programs need few of
/// them. Calls that a signal interrupted (`EINTR`) are repeated here. The exceptions are [#ppoll] and [#readOnce],
/// whose timeout the caller must compute again, and [#close], which Linux completes in any case.
///
/// Memory is passed as segments, not as addresses: the linker keeps a segment alive during the call, and rejects a
/// closed one.
final class Syscalls {
    /// Memory in which a call stores its error number.
    static final StructLayout STATE = Linker.Option.captureStateLayout();

    private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));

    private static final class Open {
        static final MethodHandle HANDLE = link(
                "open",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                Linker.Option.firstVariadicArg(2));
    }

    private static final class Close {
        static final MethodHandle HANDLE =
                link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    private static final class Ioctl {
        static final MethodHandle HANDLE = link(
                "ioctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                Linker.Option.firstVariadicArg(2));
    }

    /// `read` and `write` have the same descriptor, so that their method handle is generated once.
    private static final FunctionDescriptor TRANSFER = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);

    private static final class Write {
        static final MethodHandle HANDLE = link("write", TRANSFER);
        static final MethodHandle WITHOUT_ERRNO = linkWithoutErrno("write", TRANSFER);
    }

    private static final class Read {
        static final MethodHandle HANDLE = link("read", TRANSFER);
        static final MethodHandle WITHOUT_ERRNO = linkWithoutErrno("read", TRANSFER);
    }

    private static final class Mmap {
        static final MethodHandle HANDLE = link(
                "mmap",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    }

    private static final class Munmap {
        static final MethodHandle HANDLE = link(
                "munmap",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    private static final class Ppoll {
        static final MethodHandle HANDLE = link(
                "ppoll",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    }

    private static final class Eventfd {
        static final MethodHandle HANDLE = link(
                "eventfd",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    }

    private static final class Socket {
        static final MethodHandle HANDLE = link(
                "socket",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    }

    private static final class Bind {
        static final MethodHandle HANDLE = link(
                "bind",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    }

    private static final class Setsockopt {
        static final MethodHandle HANDLE = link(
                "setsockopt",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    }

    private static final class Getsockopt {
        static final MethodHandle HANDLE = link(
                "getsockopt",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    }

    private Syscalls() {}

    @SuppressWarnings("restricted")
    static MethodHandle linkWithoutErrno(String name, FunctionDescriptor shape) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
    }

    @SuppressWarnings("restricted")
    static MethodHandle link(String name, FunctionDescriptor shape, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(options, 0, all, 1, options.length);
        MemorySegment function = linker.defaultLookup().findOrThrow(name);
        return linker.downcallHandle(function, shape, all);
    }

    /// `open(path, flags)`; without flags that would require a mode.
    ///
    /// @param path a C string
    /// @return the file descriptor
    static int open(MemorySegment path, int flags) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result;
            do {
                result = (int) Open.HANDLE.invokeExact(state, path, flags);
            } while (result == -1 && interrupted(state));
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `close(fd)`. Never repeated: on Linux, the descriptor is closed even after `EINTR`, and its number may already
    /// belong to another file.
    static int close(int fd) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Close.HANDLE.invokeExact(state, fd);
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `ioctl(fd, request, argument)`.
    static int ioctl(int fd, int request, MemorySegment argument) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            long number = Integer.toUnsignedLong(request);
            int result;
            do {
                result = (int) Ioctl.HANDLE.invokeExact(state, fd, number, argument);
            } while (result == -1 && interrupted(state));
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `write(fd, bytes, length)`, for doorbells: no lock, no allocation.
    ///
    /// A call that captures the errno allocates a segment of 40 bytes. Whether the optimizing compiler eliminates it
    /// depends on the surrounding code. Therefore the first call captures nothing. A failed call has no effect, and is
    /// repeated to get the errno.
    ///
    /// @return the number of bytes written
    static long write(int fd, MemorySegment bytes) {
        try {
            long result = (long) Write.WITHOUT_ERRNO.invokeExact(fd, bytes, bytes.byteSize());
            return result == -1 ? writeOnce(fd, bytes) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// `write(fd, bytes, length)`, executed once: for commands that may have an effect even if they fail.
    ///
    /// @return the number of bytes written
    static long writeOnce(int fd, MemorySegment bytes) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            long length = bytes.byteSize();
            long result;
            do {
                result = (long) Write.HANDLE.invokeExact(state, fd, bytes, length);
            } while (result == -1 && interrupted(state));
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `read(fd, bytes, length)`. Gets the errno as [#write] does.
    ///
    /// @return the number of bytes read
    static long read(int fd, MemorySegment bytes) {
        try {
            long result = (long) Read.WITHOUT_ERRNO.invokeExact(fd, bytes, bytes.byteSize());
            return result == -1 ? readAgain(fd, bytes) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static long readAgain(int fd, MemorySegment bytes) {
        int slot = ErrnoSlots.take();
        try {
            long result;
            do {
                result = readOnce(fd, bytes, ErrnoSlots.memory(slot));
            } while (result == -Errno.EINTR);
            return result;
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `read(fd, bytes, length)`, which may block: uses no shared slot, and is not repeated after a signal.
    ///
    /// @param state buffer for the errno, of [#STATE]. If null, each failure is `EINTR`, because getting the errno may
    ///     allocate. The caller then repeats the call to learn the errno.
    /// @return the number of bytes read
    static long readOnce(int fd, MemorySegment bytes, @Nullable MemorySegment state) {
        try {
            if (state == null) {
                long result = (long) Read.WITHOUT_ERRNO.invokeExact(fd, bytes, bytes.byteSize());
                return result == -1 ? -Errno.EINTR : result;
            }
            long result = (long) Read.HANDLE.invokeExact(state, fd, bytes, bytes.byteSize());
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// `mmap(address, length, protection, flags, fd, offset)`.
    ///
    /// @param address 0 to let the kernel choose
    /// @return the address, or a negated errno: addresses of user space are positive
    static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            long result = (long) Mmap.HANDLE.invokeExact(state, address, length, protection, flags, fd, offset);
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `munmap(address, length)`.
    static int munmap(long address, long length) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Munmap.HANDLE.invokeExact(state, address, length);
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `ppoll(descriptors, count, timeout, NULL)`. May block, so it uses no shared slot.
    ///
    /// @param descriptors array of `struct pollfd`
    /// @param timeout a `struct timespec`, or [MemorySegment#NULL] to wait without limit
    /// @param state buffer for the errno, of [#STATE]
    /// @return the number of readable descriptors, 0 after the timeout
    static int ppoll(MemorySegment descriptors, int count, MemorySegment timeout, MemorySegment state) {
        try {
            int result = (int) Ppoll.HANDLE.invokeExact(state, descriptors, (long) count, timeout, MemorySegment.NULL);
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// `eventfd(0, flags)`.
    ///
    /// @return the file descriptor
    static int eventfd(int flags) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Eventfd.HANDLE.invokeExact(state, 0, flags);
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `socket(domain, type, protocol)`.
    ///
    /// @return the file descriptor
    static int socket(int domain, int type, int protocol) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Socket.HANDLE.invokeExact(state, domain, type, protocol);
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `bind(fd, address, length)`.
    static int bind(int fd, MemorySegment address) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Bind.HANDLE.invokeExact(state, fd, address, (int) address.byteSize());
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `setsockopt(fd, level, name, value, length)`.
    static int setsockopt(int fd, int level, int name, MemorySegment value) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Setsockopt.HANDLE.invokeExact(state, fd, level, name, value, (int) value.byteSize());
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    /// `getsockopt(fd, level, name, value, length)`.
    ///
    /// @param length an `int`: the size of `value`, afterwards the length that the kernel wrote
    static int getsockopt(int fd, int level, int name, MemorySegment value, MemorySegment length) {
        int slot = ErrnoSlots.take();
        try {
            MemorySegment state = ErrnoSlots.memory(slot);
            int result = (int) Getsockopt.HANDLE.invokeExact(state, fd, level, name, value, length);
            return result == -1 ? -errno(state) : result;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            ErrnoSlots.release(slot);
        }
    }

    static boolean interrupted(MemorySegment state) {
        return errno(state) == Errno.EINTR;
    }

    static int errno(MemorySegment state) {
        return state.get(JAVA_INT, ERRNO);
    }

    /// Converts the exceptions of a downcall. Only the linker throws any: for a closed segment, or one of another
    /// thread.
    static RuntimeException unexpected(Throwable e) {
        return switch (e) {
            case RuntimeException failure -> failure;
            case Error error -> throw error;
            default -> throw new AssertionError("a downcall throws nothing checked", e);
        };
    }
}
