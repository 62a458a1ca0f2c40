// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortAttributes;

/// Compares path MTUs with what a port carries. rxe does not: it takes any path MTU, and packets that the network interface does not
/// carry never leave. On Linux 6.1 their work request then never completes, later the queue pair ends without a reason
/// (`rxe_xmit_packet` in `rxe_requester`, rxe_req.c).
final class PathMtu {
    /// Bytes that a network interface's MTU must have beyond the path MTU: those of the longest headers.
    private static final int HEADERS = 104;

    private PathMtu() {}

    /// Checks that a port carries packets of a path MTU.
    ///
    /// @param wanted the path MTU
    /// @param port what was asked of the port
    /// @param number of the port
    /// @throws IllegalArgumentException if it is larger than the port's active MTU
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
