// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// Resolves addresses of the command line.
public final class Hosts {
    private Hosts() {}

    /// Returns the address of a name; the IPv4 wildcard for null.
    ///
    /// @throws ToolException if there is no such host
    public static InetSocketAddress resolve(@Nullable String text, int port) {
        return text == null ? new InetSocketAddress(port) : new InetSocketAddress(resolve(text), port);
    }

    /// Returns the IPv4 or IPv6 address of a name.
    ///
    /// @throws ToolException if there is no such host
    public static InetAddress resolve(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new ToolException("no such host: " + text);
        }
    }
}
