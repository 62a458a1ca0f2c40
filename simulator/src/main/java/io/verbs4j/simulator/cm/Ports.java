// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.types.Errno;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/// The port numbers of a machine's connection manager, for each port space (`cma_get_port`, cma.c).
final class Ports {
    /// `net.ipv4.ip_local_port_range`.
    private static final int FIRST_CHOSEN = 32_768;
    private static final int LAST_CHOSEN = 60_999;

    /// Holders of a port, the latest first.
    private final Deque<CmIdentifier> holders = new ArrayDeque<>();
    private int next = FIRST_CHOSEN;

    /// Takes the port of an identifier's address, or assigns a free one.
    ///
    /// @throws Refusal if another holds it
    void take(CmIdentifier identifier) {
        if (identifier.local().getPort() == 0) {
            identifier.choosePort(free(identifier));
        } else {
            check(identifier, identifier.options.reusesAddress);
        }
        holders.addFirst(identifier);
    }

    private int free(CmIdentifier identifier) {
        for (int tried = FIRST_CHOSEN; tried <= LAST_CHOSEN; tried++) {
            int port = next;
            next = next == LAST_CHOSEN ? FIRST_CHOSEN : next + 1;
            if (holders.stream()
                    .noneMatch(holder -> sharesSpace(holder, identifier) && holder.local().getPort() == port)) {
                return port;
            }
        }
        throw new Refusal(Errno.EADDRNOTAVAIL);
    }

    /// Checks that a port is available (`cma_check_port`).
    ///
    /// @param reuses whether the port may be shared with identifiers that reuse addresses, too
    void check(CmIdentifier identifier, boolean reuses) {
        InetAddress address = identifier.local().getAddress();
        for (CmIdentifier holder : holders) {
            InetAddress other = holder.local().getAddress();
            if (holder == identifier
                    || !sharesSpace(holder, identifier)
                    || holder.local().getPort() != identifier.local().getPort()
                    || (reuses && holder.options.reusesAddress)
                    || (identifier.options.oneFamilyOnly && holder.options.oneFamilyOnly
                            && address.getClass() != other.getClass())) {
                continue;
            }
            Refusal.when(address.isAnyLocalAddress() || other.isAnyLocalAddress(), Errno.EADDRNOTAVAIL);
            Refusal.when(address.equals(other), Errno.EADDRINUSE);
        }
    }

    private static boolean sharesSpace(CmIdentifier one, CmIdentifier other) {
        return one.portSpace() == other.portSpace();
    }

    /// Releases a port.
    void leave(CmIdentifier identifier) {
        holders.remove(identifier);
    }
}
