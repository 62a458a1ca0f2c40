// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.device.NetlinkFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/// A netlink socket. It is unbound and unconnected: the kernel binds it at the first message and is the receiver, so
/// plain `write` and `read` suffice.
public final class NetlinkSocket implements NetlinkFile {
    /// The kernel responds within the sending call. A long wait means that it will not respond.
    private static final long RESPONSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LinuxEventFile socket;
    private final long timeoutNanos;

    NetlinkSocket(LinuxEventFile socket, long timeoutNanos) {
        this.socket = socket;
        this.timeoutNanos = timeoutNanos;
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
        return new NetlinkSocket(
                new LinuxEventFile(KernelErrors.check(SystemOperation.RDMA_NETLINK, fd)), RESPONSE_TIMEOUT_NANOS);
    }

    @Override
    public int send(MemorySegment message) {
        return (int) Syscalls.write(socket.fileDescriptor(), message);
    }

    @Override
    public int receive(MemorySegment buffer) {
        int result = socket.read(buffer);
        if (result != -Errno.EAGAIN) {
            return result;
        }
        int ready = socket.await(timeoutNanos);
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
