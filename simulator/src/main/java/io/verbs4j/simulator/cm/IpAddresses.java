// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.rxe.Address;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/// Operations on socket addresses.
final class IpAddresses {
    private IpAddresses() {}

    /// Returns the wildcard address of a family.
    static InetSocketAddress any(boolean ipv6) {
        return new InetSocketAddress((ipv6 ? new Address(0, 0) : Address.ipv4(0)).toInetAddress(), 0);
    }

    /// Returns the address without its port.
    static Address address(InetSocketAddress address) {
        return Address.of(address.getAddress());
    }

    static boolean isIpv6(InetSocketAddress address) {
        return !(address.getAddress() instanceof Inet4Address);
    }

    /// Returns the interface number of a link-local address; 0 if it has none.
    static int scope(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ip ? ip.getScopeId() : 0;
    }
}
