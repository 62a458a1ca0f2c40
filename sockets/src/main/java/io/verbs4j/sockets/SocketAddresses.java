// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Checks addresses by the rules of the JDK's channels.
final class SocketAddresses {
    private static final String LOOPBACK = "verbs4j.sockets.loopback";
    /// The address used instead of loopback addresses; null for none.
    private static final @Nullable InetAddress INSTEAD_OF_LOOPBACK = insteadOfLoopback();

    private SocketAddresses() {}

    private static @Nullable InetAddress insteadOfLoopback() {
        String address = System.getProperty(LOOPBACK);
        try {
            return address == null ? null : InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(LOOPBACK + "=" + address + " is no IP address", e);
        }
    }

    private static InetSocketAddress mapped(InetSocketAddress address) {
        return INSTEAD_OF_LOOPBACK == null || !address.getAddress().isLoopbackAddress()
                ? address
                : new InetSocketAddress(INSTEAD_OF_LOOPBACK, address.getPort());
    }

    /// Returns an address to connect to. The wildcard means this host.
    static InetSocketAddress remote(SocketAddress address, @Nullable ProtocolFamily family) {
        InetSocketAddress remote = check(Objects.requireNonNull(address, "address"), family);
        if (!remote.getAddress().isAnyLocalAddress()) {
            return mapped(remote);
        }
        try {
            boolean four = remote.getAddress() instanceof Inet4Address || StandardProtocolFamily.INET.equals(family);
            return mapped(new InetSocketAddress(
                    InetAddress.getByAddress(four ? new byte[]{127, 0, 0, 1} : loopback6()), remote.getPort()));
        } catch (UnknownHostException e) {
            throw new AssertionError("the lengths are right", e);
        }
    }

    private static byte[] loopback6() {
        byte[] address = new byte[16];
        address[address.length - 1] = 1;
        return address;
    }

    /// Returns an address to bind to.
    ///
    /// @param address null for any
    static InetSocketAddress local(@Nullable SocketAddress address, @Nullable ProtocolFamily family) {
        return address == null ? any(family) : mapped(check(address, family));
    }

    private static InetSocketAddress any(@Nullable ProtocolFamily family) {
        return family == null
                ? new InetSocketAddress(0) // of the family that this virtual machine prefers, which may be the only one
                : new InetSocketAddress(wildcard(StandardProtocolFamily.INET.equals(family) ? 4 : 16), 0);
    }

    private static InetAddress wildcard(int bytes) {
        try {
            return InetAddress.getByAddress(new byte[bytes]);
        } catch (UnknownHostException e) {
            throw new AssertionError("the lengths are right", e);
        }
    }

    /// Returns the address to connect from. Replaces a wildcard by the wildcard of the peer's family: a channel of the
    /// JDK for both families is bound to the IPv6 wildcard, which cannot reach an IPv4 address over RDMA.
    static InetSocketAddress source(InetSocketAddress bound, InetSocketAddress remote) {
        return bound.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(wildcard(remote.getAddress().getAddress().length), bound.getPort())
                : bound;
    }

    private static InetSocketAddress check(SocketAddress address, @Nullable ProtocolFamily family) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (StandardProtocolFamily.INET.equals(family) && !(inet.getAddress() instanceof Inet4Address)) {
            throw new UnsupportedAddressTypeException();
        }
        return inet;
    }

    /// Returns address and port, without a name.
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet4Address ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
