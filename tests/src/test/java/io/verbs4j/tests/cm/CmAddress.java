// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import java.net.InetSocketAddress;
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
}
