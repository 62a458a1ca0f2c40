// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.tools.common.Findings;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Compares the GID table of a port with the addresses of its network interface.
///
/// @param check the checked object, for findings
/// @param netdev the port's network interface
record GidChecks(String check, String netdev, Findings findings) {
    /// @param gids the port's GID table
    /// @param addresses the network interface's addresses as GIDs; empty if unknown
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
                    "no RoCE v2 GID has an IPv4 address, but most programs need one",
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
                    "ip link set " + netdev + " down and up again makes the kernel update the table");
        }
        if (!stale.isEmpty()) {
            findings.warning(
                    check,
                    "GIDs without an address of " + netdev + " at index "
                            + String.join(", ", stale.stream().map(entry -> Integer.toString(entry.index())).toList()),
                    "do not use them; they belong to interfaces above " + netdev + ", or to a removed address");
        }
        if (missing.isEmpty() && stale.isEmpty()) {
            findings.ok(check, gids.size() + " GIDs, each with its address");
        }
    }
}
