// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.cm.ConnectionOptions;
import java.net.InetSocketAddress;

/// The lab's wire by both versions of IP: the server is on the right device, the client on the left.
enum Family {
    IPV4 {
        @Override
        InetSocketAddress server() {
            return CmAddress.right();
        }

        @Override
        ConnectionOptions fromTheLeft(ConnectionOptions options) {
            return options.withSource(new InetSocketAddress("10.9.0.1", 0));
        }

        @Override
        InetSocketAddress asSeenByClients(InetSocketAddress server) {
            return server;
        }
    },
    /// Link-local addresses, which need an interface number: a server uses that of its own interface, a client that of
    /// the interface that leads to the server.
    IPV6 {
        @Override
        InetSocketAddress server() {
            return new InetSocketAddress(CmAddress.linkLocal("veth1", "veth1"), CmAddress.right().getPort());
        }

        @Override
        ConnectionOptions fromTheLeft(ConnectionOptions options) {
            return options; // the address names the interface
        }

        @Override
        InetSocketAddress asSeenByClients(InetSocketAddress server) {
            return new InetSocketAddress(CmAddress.linkLocal("veth1", "veth0"), server.getPort());
        }
    };

    /// Returns an address to listen on, with a port of its own for each test.
    abstract InetSocketAddress server();

    /// Returns the address by which the left device reaches it.
    abstract InetSocketAddress asSeenByClients(InetSocketAddress server);

    /// Returns options for a client on the left device, which without a source is the server's own device over IPv4.
    abstract ConnectionOptions fromTheLeft(ConnectionOptions options);
}
