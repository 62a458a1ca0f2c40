// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// IP addresses with a port in C's format.
public final class SocketAddresses {
    /// `AF_INET`.
    public static final int AF_INET = 2;
    /// `AF_INET6`.
    public static final int AF_INET6 = 10;

    private SocketAddresses() {}

    /// Writes an address.
    ///
    /// @param memory buffer for a `struct sockaddr_storage`
    /// @return the number of valid bytes
    /// @throws IllegalArgumentException if the host's name was not resolved
    public static int write(MemorySegment memory, InetSocketAddress address) {
        return switch (address.getAddress()) {
            case Inet4Address ip -> {
                CView view = LinuxStructs.SOCKADDR_IN
                        .zeroed(memory)
                        .set("sin_family", AF_INET)
                        .set("sin_port", address.getPort());
                view.slice("sin_addr").copyFrom(MemorySegment.ofArray(ip.getAddress()));
                yield LinuxStructs.SOCKADDR_IN.size();
            }
            case Inet6Address ip -> {
                CView view = LinuxStructs.SOCKADDR_IN6
                        .zeroed(memory)
                        .set("sin6_family", AF_INET6)
                        .set("sin6_port", address.getPort())
                        .set("sin6_scope_id", ip.getScopeId());
                view.slice("sin6_addr").copyFrom(MemorySegment.ofArray(ip.getAddress()));
                yield LinuxStructs.SOCKADDR_IN6.size();
            }
            case null, default ->
                throw new IllegalArgumentException("the host's name is not resolved: address=" + address);
        };
    }

    /// Reads an address.
    ///
    /// @return null if there is none, or its family is another one
    public static @Nullable InetSocketAddress read(MemorySegment memory) {
        return switch (memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0)) {
            case AF_INET -> {
                CView view = LinuxStructs.SOCKADDR_IN.view(memory);
                yield new InetSocketAddress(ip(view.slice("sin_addr"), 0), view.getInt("sin_port"));
            }
            case AF_INET6 -> {
                CView view = LinuxStructs.SOCKADDR_IN6.view(memory);
                yield new InetSocketAddress(
                        ip(view.slice("sin6_addr"), view.getInt("sin6_scope_id")), view.getInt("sin6_port"));
            }
            default -> null;
        };
    }

    private static InetAddress ip(MemorySegment bytes, int scope) {
        byte[] address = bytes.toArray(ValueLayout.JAVA_BYTE);
        try {
            return scope == 0
                    ? InetAddress.getByAddress(address)
                    : Inet6Address.getByAddress(null, address, scope);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are always an address", e);
        }
    }
}
