// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.types.Gid;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// Converts addresses with a port to those of the simulated network, and back.
final class IpAddresses {
    private IpAddresses() {}

    /// Any address of a family.
    static InetSocketAddress any(boolean ipv6) {
        return new InetSocketAddress(inet(ipv6 ? new Address(0, 0) : Address.ipv4(0)), 0);
    }

    static InetAddress inet(Address address) {
        return new Gid(address.high(), address.low()).toInetAddress();
    }

    static Address address(InetSocketAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress().getAddress());
        return bytes.remaining() == Integer.BYTES
                ? Address.ipv4(bytes.getInt())
                : new Address(bytes.getLong(), bytes.getLong());
    }

    static boolean isIpv6(InetSocketAddress address) {
        return !(address.getAddress() instanceof Inet4Address);
    }

    /// Number of the interface that an address of one link is reached by; 0 if it does not say.
    static int scope(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ip ? ip.getScopeId() : 0;
    }
}
