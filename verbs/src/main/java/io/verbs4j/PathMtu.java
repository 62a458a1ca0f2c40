// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortAttributes;

/// Checks path MTUs against the port's active MTU, since rxe does not. rxe accepts any path MTU, and drops packets that
/// exceed the network interface's MTU. On Linux 6.1, the work request then never completes, and later the queue pair
/// moves to ERR without reporting a reason (`rxe_xmit_packet` in `rxe_requester`, rxe_req.c).
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
