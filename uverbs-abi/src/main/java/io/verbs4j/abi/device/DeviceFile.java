// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An open device file, such as `/dev/infiniband/uverbsN` or `/dev/infiniband/rdma_cm`: the kernel boundary. Every
/// system call on a device passes through this interface. Therefore a decorator can trace and explain each byte, a
/// fault injector can fail any call, and a simulated kernel can run the real provider code. Reads and writes of mapped
/// rings do not pass through it.
///
/// Results are the kernel's own: zero or a count on success, a negated error number on failure. The command classes,
/// one layer up, interpret the error of a particular verb.
///
/// Implementations are thread-safe. After [#close()] every call returns `-EBADF`. A call that is in progress during the
/// close completes on the open file. Only waits end early.
public interface DeviceFile extends PollableFile {
    /// Alignment of allocated memory.
    int PAGE_BYTES = 4096;

    /// `ioctl(fd, RDMA_VERBS_IOCTL, command)` (include/uapi/rdma/rdma_user_ioctl.h).
    ///
    /// @param command an `ib_uverbs_ioctl_hdr` and its attributes; the kernel writes handles and flags into it
    /// @return 0, or a negated error number
    int ioctl(MemorySegment command);

    /// `write(fd, command, length)`: the older command interface, and the doorbell of rxe.
    ///
    /// @param command an `ib_uverbs_cmd_hdr` and its request
    /// @return the number of bytes, or a negated error number
    int write(MemorySegment command);

    /// `mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset)`: maps a ring that the kernel offered.
    ///
    /// @param offset the kernel's token for the ring; each can be mapped once
    /// @param length bytes, at most the offered number
    /// @return the mapped ring; its addresses stay valid as long as this segment is reachable, even after [#unmap]
    /// @throws VerbsException if the kernel refuses
    MemorySegment map(long offset, long length);

    /// Unmaps a ring, and replaces it by zeroed memory of this process. A thread that still reads or writes it neither
    /// crashes nor accesses a later mapping.
    ///
    /// @param ring the result of [#map]
    /// @throws VerbsException if the kernel refuses; the ring is then still mapped, and the call can be repeated
    void unmap(MemorySegment ring);

    /// Allocates zeroed, page-aligned memory that is to be registered. Closing the arena frees it.
    ///
    /// @param bytes at least 1
    default MemorySegment allocate(long bytes, Arena arena) {
        return arena.allocate(bytes, PAGE_BYTES);
    }

    /// Passes the memory of a region that has just been registered. A kernel has already pinned its pages, so this
    /// method does nothing by default. A simulated kernel uses the segment to detect that the memory was freed. Without
    /// the segment, the simulated kernel checks each access to the memory by system calls.
    ///
    /// @param region the kernel's handle
    /// @param memory the registered memory, with the same address and length
    default void attachMemory(int region, MemorySegment memory) {}

    /// Takes ownership of a file descriptor for events that a command returned: of a completion channel, or of the
    /// asynchronous events.
    EventFile eventFile(int fileDescriptor);

    /// Closes the file descriptor as soon as no call uses it. This cannot fail: Linux releases the descriptor whatever
    /// `close(2)` returns. Mappings keep the kernel's context alive beyond this.
    @Override
    void close();
}
