// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.net.InetAddress;

/// An address of the left device to which a socket can bind. A socket can bind only to addresses of the machine.
/// Therefore a simulated device gets a loopback address, and closing removes this address.
public record BindableAddress(InetAddress address) implements AutoCloseable {
    /// Returns the device's address, or adds one.
    public static BindableAddress ofLeftDevice() {
        InetAddress address = InetAddress.ofLiteral(Simulated.isUsed() ? "127.9.0.1" : "10.9.0.1");
        if (Simulated.isUsed()) {
            Simulated.device(Rxe.LEFT).addAddress(address);
        }
        return new BindableAddress(address);
    }

    @Override
    public void close() {
        if (Simulated.isUsed()) {
            Simulated.device(Rxe.LEFT).removeAddress(address);
        }
    }
}
