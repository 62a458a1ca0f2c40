// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;

/// The places at which tests listen.
enum Places {
    /// An address of a simulated device.
    RDMA("10.9.0.2"),
    /// A loopback address, over TCP.
    TCP("127.0.0.1");

    private static final AtomicInteger NEXT_PORT = new AtomicInteger(21_000);

    private final String host;

    Places(String host) {
        this.host = host;
    }

    /// Returns an address. Over RDMA, the address has an unused port; over TCP, port 0.
    InetSocketAddress address() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), this == TCP ? 0 : NEXT_PORT.getAndIncrement());
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
