// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A packet socket (`packet(7)`). It returns copies of the UDP datagrams to one port that a network interface sends and
/// receives. One thread reads and closes; any thread may wake it.
///
/// The socket sees sent packets after the interface's queueing discipline, and received ones before the network stack.
/// A completion is reported only after its last packet can be read.
public final class PacketSocket implements FrameFile {
    /// Bytes of unread frames; the kernel counts the memory that they occupy, up to twice their size.
    private static final int BUFFER_BYTES = 64 << 20;

    private final LinuxEventFile socket;

    private PacketSocket(LinuxEventFile socket) {
        this.socket = socket;
    }

    /// Opens a socket on an Ethernet interface.
    ///
    /// @param interfaceIndex the index in `/sys/class/net/NAME/ifindex`
    /// @param udpPort destination port of the datagrams
    /// @throws io.verbs4j.types.VerbsException if the caller lacks `CAP_NET_RAW`, or the interface does not exist
    /// @throws UnsupportedOperationException if this platform is not 64-bit little-endian Linux
    public static PacketSocket open(int interfaceIndex, int udpPort) {
        Platform.check();
        // Protocol 0: no frame arrives before the socket is bound, when the filter is attached.
        int fd = Syscalls.socket(
                LinuxConstants.AF_PACKET, LinuxConstants.SOCK_RAW | LinuxConstants.SOCK_CLOEXEC, 0);
        var file = new LinuxEventFile(KernelErrors.check(SystemOperation.CAPTURE_PACKETS, fd));
        try (Arena arena = Arena.ofConfined()) {
            check(Syscalls.setsockopt(
                    fd,
                    LinuxConstants.SOL_SOCKET,
                    LinuxConstants.SO_ATTACH_FILTER,
                    UdpPortFilter.program(arena, udpPort)));
            enlargeBuffer(fd, arena);
            MemorySegment address = LinuxStructs.SOCKADDR_LL.allocate(arena);
            LinuxStructs.SOCKADDR_LL
                    .view(address)
                    .set("sll_family", LinuxConstants.AF_PACKET)
                    .set("sll_protocol", LinuxConstants.ETH_P_ALL)
                    .set("sll_ifindex", interfaceIndex);
            check(Syscalls.bind(fd, address));
            return new PacketSocket(file);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static void check(int result) {
        KernelErrors.check(SystemOperation.CAPTURE_PACKETS, result);
    }

    /// Exceeds the system's limit (`net.core.rmem_max`) if the caller may, otherwise up to the limit.
    private static void enlargeBuffer(int fd, Arena arena) {
        MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_INT, BUFFER_BYTES);
        if (Syscalls.setsockopt(fd, LinuxConstants.SOL_SOCKET, LinuxConstants.SO_RCVBUFFORCE, bytes) < 0) {
            check(Syscalls.setsockopt(fd, LinuxConstants.SOL_SOCKET, LinuxConstants.SO_RCVBUF, bytes));
        }
    }

    /// Takes one frame, including its Ethernet header.
    ///
    /// @param buffer room for the longest frame; a longer one is truncated
    /// @return the number of bytes, or a negated errno: `-EAGAIN` if no frame is waiting, `-ENETDOWN` once when the
    ///     interface went down (it continues when the interface comes up)
    @Override
    public int receive(MemorySegment buffer) {
        return socket.read(buffer);
    }

    /// Waits for a frame.
    ///
    /// @param timeoutNanos negative to wait without limit
    /// @return positive if [#receive] has something to return, 0 after the time-out, or a negated errno: `-EINTR` if
    ///     the thread was interrupted or woken
    @Override
    public int await(long timeoutNanos) {
        int ready = socket.await(timeoutNanos);
        return ready == -Errno.EIO ? 1 : ready; // reading an interface's error clears it
    }

    /// Ends waiting: [#await] returns `-EINTR`.
    @Override
    public void wake() {
        socket.wake();
    }

    /// Returns the number of frames dropped because of a full buffer, since the socket was opened or since the last
    /// call. Valid only while it is open.
    @Override
    public int takeLost() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment statistics = LinuxStructs.TPACKET_STATS.allocate(arena);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, LinuxStructs.TPACKET_STATS.size());
            check(Syscalls.getsockopt(
                    socket.fileDescriptor(),
                    LinuxConstants.SOL_PACKET,
                    LinuxConstants.PACKET_STATISTICS,
                    statistics,
                    length));
            return LinuxStructs.TPACKET_STATS.view(statistics).getInt("tp_drops");
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
