// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.rxe.Address;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/// Answers questions about addresses with a port.
final class IpAddresses {
    private IpAddresses() {}

    /// Any address of a family.
    static InetSocketAddress any(boolean ipv6) {
        return new InetSocketAddress((ipv6 ? new Address(0, 0) : Address.ipv4(0)).toInetAddress(), 0);
    }

    /// The address without its port.
    static Address address(InetSocketAddress address) {
        return Address.of(address.getAddress());
    }

    static boolean isIpv6(InetSocketAddress address) {
        return !(address.getAddress() instanceof Inet4Address);
    }

    /// Number of the interface that an address of one link is reached by; 0 if it does not say.
    static int scope(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ip ? ip.getScopeId() : 0;
    }
}
