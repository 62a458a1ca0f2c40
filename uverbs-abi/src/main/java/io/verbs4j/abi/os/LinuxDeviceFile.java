// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// The kernel boundary of a running Linux system.
public final class LinuxDeviceFile implements DeviceFile {
    private final FileDescriptor file;
    private final FileWaiters waiters;
    /// True if a failing command may have had an effect: a refused ACCEPT of the connection manager rejects the
    /// request.
    private final boolean writesOnce;

    private LinuxDeviceFile(FileDescriptor file, boolean writesOnce) {
        this.file = file;
        this.writesOnce = writesOnce;
        this.waiters = new FileWaiters(file);
    }

    /// Opens a device node for reading and writing, because a mapping needs both.
    ///
    /// @param node the device node, such as `/dev/infiniband/uverbs0`
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses, or if it is not a character device
    /// @throws UnsupportedOperationException if this platform is not 64-bit little-endian Linux
    /// @throws IllegalStateException if the virtual machine does not allow native access
    public static LinuxDeviceFile open(Path node) {
        return open(node, false);
    }

    /// Opens a device node, for reading and writing.
    ///
    /// @param node the device node, such as `/dev/infiniband/rdma_cm`
    /// @param nonBlocking whether commands that would wait for an event return `-EAGAIN` instead; such a file is not a
    ///     doorbell, and its writes are never repeated
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses, or if it is not a character device
    /// @throws UnsupportedOperationException if this platform is not 64-bit little-endian Linux
    /// @throws IllegalStateException if the virtual machine does not allow native access
    public static LinuxDeviceFile open(Path node, boolean nonBlocking) {
        Platform.check();
        String wrong = RefusedNode.wrongKind(Path.of("/"), node);
        if (!wrong.isEmpty()) {
            throw KernelErrors.failure(SystemOperation.OPEN_DEVICE, Errno.EINVAL, wrong);
        }
        try (Arena arena = Arena.ofConfined()) {
            int flags = LinuxConstants.O_RDWR | LinuxConstants.O_CLOEXEC
                    | (nonBlocking ? LinuxConstants.O_NONBLOCK : 0);
            int result = Syscalls.open(arena.allocateFrom(node.toString()), flags);
            if (result < 0) {
                throw KernelErrors.failure(
                        SystemOperation.OPEN_DEVICE, -result,
                        node + ": " + RefusedNode.explain(Path.of("/"), node, -result));
            }
            try {
                return new LinuxDeviceFile(new FileDescriptor(result), nonBlocking);
            } catch (OutOfMemoryError e) {
                Syscalls.close(result);
                throw e;
            }
        }
    }

    @Override
    public int ioctl(MemorySegment command) {
        int fd = file.acquire();
        if (fd < 0) {
            return fd;
        }
        try {
            return Syscalls.ioctl(fd, LinuxConstants.RDMA_VERBS_IOCTL, command);
        } finally {
            file.release();
        }
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
        return ZeroPages.allocate(bytes, arena);
    }

    @Override
    public int write(MemorySegment command) {
        int fd = file.acquire();
        if (fd < 0) {
            return fd;
        }
        try {
            return (int) (writesOnce ? Syscalls.writeOnce(fd, command) : Syscalls.write(fd, command));
        } finally {
            file.release();
        }
    }

    @Override
    public MemorySegment map(long offset, long length) {
        if (length <= 0) {
            throw new IllegalArgumentException("a mapping has at least one byte: length=" + length);
        }
        int fd = file.acquire();
        if (fd < 0) {
            throw KernelErrors.failure(SystemOperation.MAP_RING, -fd);
        }
        try {
            long result = Syscalls.mmap(
                    0,
                    length,
                    LinuxConstants.PROT_READ | LinuxConstants.PROT_WRITE,
                    LinuxConstants.MAP_SHARED,
                    fd,
                    offset);
            if (result < 0) {
                throw KernelErrors.failure(SystemOperation.MAP_RING, (int) -result);
            }
            try {
                return Mapping.of(result, length);
            } catch (OutOfMemoryError e) {
                Syscalls.munmap(result, length);
                throw e;
            }
        } finally {
            file.release();
        }
    }

    @Override
    public void unmap(MemorySegment ring) {
        int result = Mapping.vacate(ring);
        if (result < 0) {
            throw KernelErrors.failure("unmap ring", -result, "the process may not map any more memory");
        }
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        try {
            return new LinuxEventFile(fileDescriptor);
        } catch (OutOfMemoryError e) {
            Syscalls.close(fileDescriptor);
            throw e;
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

    @Override
    public void wake() {
        waiters.wake();
    }

    @Override
    public void close() {
        waiters.close();
    }
}
