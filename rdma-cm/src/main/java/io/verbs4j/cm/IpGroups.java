// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.os.IpGroupSocket;
import io.verbs4j.types.ConnectionAddresses;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/// Joins the network interface of an identifier to IP multicast groups. The connection manager does so only for IPv4
/// (`cma_iboe_join_multicast`, drivers/infiniband/core/cma.c).
final class IpGroups {
    private IpGroups() {}

    /// Joins a group.
    ///
    /// @return null if there is no interface, as in a simulation
    static @Nullable IpGroupSocket join(Identifier identifier, InetSocketAddress group) {
        NetworkInterface itself = networkInterface(identifier);
        return itself == null ? null : IpGroupSocket.join(itself.getIndex(), group);
    }

    private static @Nullable NetworkInterface networkInterface(Identifier identifier) {
        if (identifier.channel().fileDescriptor() < 0) {
            return null;
        }
        ConnectionAddresses addresses = identifier.addresses();
        InetSocketAddress local = addresses.local();
        try {
            if (local != null && !local.getAddress().isAnyLocalAddress()) {
                return NetworkInterface.getByInetAddress(local.getAddress());
            }
            String name = CmDevices.find(addresses).flatMap(device -> device.networkInterface()).orElse(null);
            return name == null ? null : NetworkInterface.getByName(name);
        } catch (SocketException e) {
            return null; // the kernel lists no interfaces; joining reports the cause
        }
    }
}
