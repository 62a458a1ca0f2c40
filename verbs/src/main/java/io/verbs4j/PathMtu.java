// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortAttributes;

/// Checks path MTUs against the port's active MTU, since not all drivers do. If a driver accepts a larger path MTU, it
/// drops packets that exceed the network interface's MTU, possibly without reporting a reason (docs/rxe-quirks.md).
final class PathMtu {
    /// Bytes by which a network interface's MTU must exceed the path MTU: the length of the longest headers.
    private static final int HEADERS = 104;

    private PathMtu() {}

    /// Checks that a port supports a path MTU.
    ///
    /// @param wanted the path MTU
    /// @param port attributes of the port
    /// @param number the port's number
    /// @throws IllegalArgumentException if the path MTU is larger than the port's active MTU
    static void require(Mtu wanted, PortAttributes port, Device device, int number) {
        Mtu active = port.activeMtu();
        if (wanted.compareTo(active) > 0) {
            throw new IllegalArgumentException("pathMtu=" + wanted + " is larger than the active MTU of port " + number
                    + " of " + device.name() + ", which is " + active + ": use pathMtu(" + active
                    + ") at both ends, or raise the MTU of the network interface"
                    + device.networkInterface()
                            .map(name -> " (ip link set " + name + " mtu " + (wanted.bytes() + HEADERS) + ")")
                            .orElse(""));
        }
    }
}
