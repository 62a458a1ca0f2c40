// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.abi.host.Host;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;

/// Addresses on the lab's wire.
final class CmAddress {
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(20_000);

    private CmAddress() {}

    /// Returns an address of the left device, with a port of its own for each test.
    static InetSocketAddress left() {
        return new InetSocketAddress("10.9.0.1", NEXT_PORT.getAndIncrement());
    }

    /// Returns an address of the right device, with a port of its own for each test.
    static InetSocketAddress right() {
        return new InetSocketAddress("10.9.0.2", NEXT_PORT.getAndIncrement());
    }

    /// Returns the address of an interface.
    ///
    /// @param scope the interface that leads to the address
    static Inet6Address linkLocal(String name, String scope) {
        InetAddress address = Host.current()
                .addresses(name)
                .stream()
                .filter(each -> each instanceof Inet6Address && each.isLinkLocalAddress())
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no link-local address"));
        try {
            return Inet6Address.getByAddress(
                    null, address.getAddress(), Host.current().interfaceIndex(scope).orElseThrow());
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
