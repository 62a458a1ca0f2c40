// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.abi.uapi.SocketAddresses;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/// A UDP socket that only keeps a network interface in an IP multicast group, until it is closed (`ip(7)`, `ipv6(7)`).
/// RoCE v2 packets pass through the kernel's IP layer, which drops those of groups that the interface has not joined.
/// Thread-safe.
public final class IpGroupSocket implements AutoCloseable {
    private final LinuxEventFile socket;

    private IpGroupSocket(LinuxEventFile socket) {
        this.socket = socket;
    }

    /// Joins a group.
    ///
    /// @param interfaceIndex the index in `/sys/class/net/NAME/ifindex`
    /// @param group an IPv4 or IPv6 multicast address; the port is ignored
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    /// @throws UnsupportedOperationException if this platform is not 64-bit little-endian Linux
    public static IpGroupSocket join(int interfaceIndex, InetSocketAddress group) {
        Platform.check();
        boolean ipv6 = group.getAddress() instanceof Inet6Address;
        int family = ipv6 ? SocketAddresses.AF_INET6 : SocketAddresses.AF_INET;
        int fd = Syscalls.socket(family, LinuxConstants.SOCK_DGRAM | LinuxConstants.SOCK_CLOEXEC, 0);
        var file = new LinuxEventFile(KernelErrors.check(SystemOperation.JOIN_IP_GROUP, fd));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = LinuxStructs.GROUP_REQ.allocate(arena);
            CView view = LinuxStructs.GROUP_REQ.view(request).set("gr_interface", interfaceIndex);
            SocketAddresses.write(view.slice("gr_group"), group);
            KernelErrors.check(
                    SystemOperation.JOIN_IP_GROUP,
                    Syscalls.setsockopt(
                            fd,
                            ipv6 ? LinuxConstants.IPPROTO_IPV6 : LinuxConstants.IPPROTO_IP,
                            LinuxConstants.MCAST_JOIN_GROUP,
                            request));
            return new IpGroupSocket(file);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /// Leaves the group. Idempotent.
    @Override
    public void close() {
        socket.close();
    }
}
