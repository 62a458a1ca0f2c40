// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/// A socket to the kernel's RDMA netlink family. It is unbound and unconnected: the kernel binds it at the first
/// message and is the receiver, so plain `write` and `read` suffice. For one thread at a time.
public final class NetlinkSocket implements AutoCloseable {
    /// The kernel responds within the sending call. A long wait means that it will not respond.
    private static final long RESPONSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LinuxEventFile socket;

    private NetlinkSocket(LinuxEventFile socket) {
        this.socket = socket;
    }

    /// Opens a socket.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel has no RDMA subsystem loaded, or does not allow it
    /// @throws UnsupportedOperationException if this platform is not 64-bit little-endian Linux
    public static NetlinkSocket openRdma() {
        Platform.check();
        int fd = Syscalls.socket(
                LinuxConstants.AF_NETLINK,
                LinuxConstants.SOCK_RAW | LinuxConstants.SOCK_CLOEXEC,
                LinuxConstants.NETLINK_RDMA);
        return new NetlinkSocket(new LinuxEventFile(KernelErrors.check(SystemOperation.RDMA_NETLINK, fd)));
    }

    /// Sends one message.
    ///
    /// @return the number of bytes, or a negated errno
    public int send(MemorySegment message) {
        return (int) Syscalls.write(socket.fileDescriptor(), message);
    }

    /// Receives one datagram, which contains one or more messages.
    ///
    /// @return the number of bytes, or a negated errno
    public int receive(MemorySegment buffer) {
        int result = socket.read(buffer);
        if (result != -Errno.EAGAIN) {
            return result;
        }
        int ready = socket.await(RESPONSE_TIMEOUT_NANOS);
        if (ready <= 0) {
            return ready == 0 ? -Errno.ETIMEDOUT : ready;
        }
        return socket.read(buffer);
    }

    @Override
    public void close() {
        socket.close();
    }
}
