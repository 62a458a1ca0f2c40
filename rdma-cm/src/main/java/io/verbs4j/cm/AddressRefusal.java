// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Explains `EADDRNOTAVAIL`. The kernel returns it if no network interface has the address, if the port is taken at the
/// wildcard address (`cma_check_port`, drivers/infiniband/core/cma.c), or if no port is left (`cma_alloc_any_port`).
final class AddressRefusal {
    private static final String NO_PORT =
            "no port of net.ipv4.ip_local_port_range is left in this port space; close identifiers, or choose a port";

    private AddressRefusal() {}

    /// Returns the failure with its cause.
    ///
    /// @param asked the requested address; null for the address that the route determines, and any port
    static VerbsException explained(VerbsException e, Identifier identifier, @Nullable InetSocketAddress asked) {
        return e.errno() == Errno.EADDRNOTAVAIL
                ? KernelErrors.failure(e.operation(), e.errno(), cause(identifier, asked))
                : e;
    }

    private static String cause(Identifier identifier, @Nullable InetSocketAddress asked) {
        if (asked == null) {
            return NO_PORT
                    + "; or, over IPv6, the network interface of the route has no source address (see 'ip address')";
        }
        boolean wildcard = asked.getAddress().isAnyLocalAddress();
        if (asked.getPort() == 0) {
            return wildcard ? NO_PORT : noInterface(asked) + "; or " + NO_PORT;
        }
        String taken = "another identifier has port " + asked.getPort();
        if (wildcard) {
            return taken
                    + " at one address, and a wildcard needs it at all addresses; close that one, or use another port or a specific address";
        }
        return isLocalAddress(identifier, asked)
                ? taken + " at the wildcard address; close that one, or use another port"
                : noInterface(asked);
    }

    private static String noInterface(InetSocketAddress asked) {
        return "no network interface of this network namespace has the address " + asked.getAddress().getHostAddress()
                + " (see 'ip address'); use the address of an interface with an RDMA device (rdma link), or a wildcard";
    }

    /// Binds another identifier to the address with any free port, to check whether a network interface has the
    /// address.
    private static boolean isLocalAddress(Identifier identifier, InetSocketAddress asked) {
        try (Identifier other = identifier.channel().create(identifier.portSpace(), identifier.queuePairType())) {
            other.bindOnly(new InetSocketAddress(asked.getAddress(), 0));
            return true;
        } catch (VerbsException e) {
            return e.errno() != Errno.EADDRNOTAVAIL;
        }
    }
}
