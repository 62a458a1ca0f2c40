// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;

/// An open device file, such as `/dev/infiniband/uverbsN` or `/dev/infiniband/rdma_cm`: the kernel boundary. Every
/// system call on a device passes here, so that a decorator can trace and explain each byte, a fault injector can fail
/// any call, and a simulated kernel can stand behind the real provider code. Reads and writes of mapped rings do not
/// pass here, and need not.
///
/// Results are the kernel's own: zero or a count on success, a negated error number on failure. What an error means for
/// a particular verb is known one layer up, in the command classes.
///
/// Implementations are safe for use by many threads. After [#close()] every call returns `-EBADF`; a call that runs
/// while the file is being closed completes on the open file, except a wait, which ends.
public interface DeviceFile extends PollableFile {
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
    /// @param length bytes, at most what the kernel offered
    /// @return the mapped ring; its addresses stay valid for as long as this segment is reachable, also after [#unmap]
    /// @throws VerbsException if the kernel refuses
    MemorySegment map(long offset, long length);

    /// Gives a mapped ring back to the kernel, and puts memory of our own in its place, all zero: a thread that is
    /// still reading or writing there must neither crash nor meet what is mapped next.
    ///
    /// @param ring what [#map] returned
    /// @throws VerbsException if the kernel refuses: then the ring is still mapped, and this can be tried again
    void unmap(MemorySegment ring);

    /// Names the memory of a region that has just been registered. A kernel has pinned its pages by then, and needs no
    /// more: this does nothing. A simulated kernel uses the segment to notice when the memory is freed; without it,
    /// each access to the memory is checked by a system call.
    ///
    /// @param region the kernel's handle
    /// @param memory what was registered, of the same address and length
    default void attachMemory(int region, MemorySegment memory) {}

    /// Takes over a file descriptor for events that a command returned: a completion channel, or the asynchronous
    /// events.
    EventFile eventFile(int fileDescriptor);

    /// Closes the file descriptor as soon as no call uses it. That cannot fail: Linux releases the descriptor whatever
    /// `close(2)` returns. Mappings keep the kernel's context alive beyond this.
    @Override
    void close();
}
