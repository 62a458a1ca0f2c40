// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Formats and checks addresses.
final class Addresses {
    private Addresses() {}

    static InetSocketAddress present(@Nullable InetSocketAddress address) {
        if (address == null) {
            throw new IllegalStateException("the identifier has no such address");
        }
        return address;
    }

    /// Returns address and port as text, without resolving names.
    static String text(@Nullable InetSocketAddress address) {
        if (address == null) {
            return "unknown";
        }
        if (address.getAddress() == null) {
            return address.getHostString() + ":" + address.getPort();
        }
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
