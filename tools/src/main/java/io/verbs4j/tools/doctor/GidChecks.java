// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The GID table of a port, against the addresses of its network interface.
final class GidChecks {
    private final String check;
    private final String netdev;
    private final Findings findings;

    /// @param check what findings are about
    /// @param netdev the port's network interface
    GidChecks(String check, String netdev, Findings findings) {
        this.check = check;
        this.netdev = netdev;
        this.findings = findings;
    }

    /// @param gids what the table of the port holds
    /// @param addresses those of the network interface, as GIDs; empty if they are not known
    void run(List<GidEntry> gids, Set<Gid> addresses) {
        if (gids.isEmpty()) {
            findings.error(check, "the GID table is empty", "ip address add 192.0.2.1/24 dev " + netdev);
            return;
        }
        boolean ipv4 =
                gids.stream().anyMatch(entry -> entry.gid().isIpv4Mapped() && entry.type().equals(GidType.ROCE_V2));
        if (!ipv4) {
            findings.warning(
                    check,
                    "no GID of RoCE v2 has an IPv4 address, which most programs expect",
                    "ip address add 192.0.2.1/24 dev " + netdev + ", or use IPv6 at both ends");
        }
        var missing = new HashSet<>(addresses);
        gids.forEach(entry -> missing.remove(entry.gid()));
        var stale = new ArrayList<GidEntry>();
        for (GidEntry entry : gids) {
            if (!entry.gid().isLinkLocal() && !addresses.isEmpty() && !addresses.contains(entry.gid())) {
                stale.add(entry);
            }
        }
        if (!missing.isEmpty()) {
            findings.warning(
                    check,
                    "addresses of " + netdev + " without a GID: " + missing,
                    "ip link set " + netdev + " down and up again lets the kernel look anew");
        }
        if (!stale.isEmpty()) {
            findings.warning(
                    check,
                    "GIDs without an address of " + netdev + " at index "
                            + String.join(", ", stale.stream().map(entry -> Integer.toString(entry.index())).toList()),
                    "do not use them; they belong to interfaces above " + netdev + ", or to an address that is gone");
        }
        if (missing.isEmpty() && stale.isEmpty()) {
            findings.ok(check, gids.size() + " GIDs, each with its address");
        }
    }
}
