// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.host.Host;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Chooses the GID that a queue pair sends from. A wrong GID index is the most common mistake on RoCE. Two ends can
/// communicate only if their GIDs have the same type and IP family.
@FunctionalInterface
public interface GidSelector {
    /// UDP port of RoCE v2.
    int ROCE_V2_PORT = Host.ROCE_V2_PORT;

    /// Chooses an entry of a port's table.
    ///
    /// @throws IllegalStateException if no entry is suitable; the message lists the existing ones
    GidSelection select(Context context, int port);

    /// Returns a selector that prefers RoCE v2 to other types. Among entries of equal type, the selector prefers IPv4,
    /// then global IPv6, then link-local addresses. Among equal entries, it chooses the lowest index.
    static GidSelector automatic() {
        return (context, port) -> best(context, port, entry -> true, "there");
    }

    /// Returns a selector of the entry with this index.
    static GidSelector index(int index) {
        return (context, port) -> new GidSelection(context.gid(port, index), "index " + index + " was requested");
    }

    /// Returns a selector of the entry with the source address that the routing table prescribes for a peer's IP
    /// address.
    ///
    /// If the peer's address belongs to this machine, the routing table prescribes the peer's own address, which may
    /// belong to another device. In this case, the selector chooses among the RoCE v2 entries of the same IP family; if
    /// the peer's address is link-local, only link-local entries qualify, otherwise only other entries. It chooses the
    /// entry whose address has the most leading bits in common with the peer's address.
    static GidSelector forPeer(InetAddress peer) {
        return (context, port) -> {
            Gid source = Gid.of(context.device().host().sourceAddress(peer));
            if (source.equals(Gid.of(peer)) && !peer.isLoopbackAddress()) {
                Optional<GidSelection> neighbour = neighbour(context, port, source);
                if (neighbour.isPresent()) {
                    return neighbour.get();
                }
            }
            return best(
                    context,
                    port,
                    entry -> entry.gid().equals(source),
                    "with address " + source.toInetAddress().getHostAddress() + ", from which packets to "
                            + peer.getHostAddress() + " are sent");
        };
    }

    /// Returns the entry from which to reach the same device or another device of this machine.
    private static Optional<GidSelection> neighbour(Context context, int port, Gid peer) {
        return context.gids(port)
                .stream()
                .filter(entry -> entry.type().equals(GidType.ROCE_V2)
                        && entry.gid().isIpv4Mapped() == peer.isIpv4Mapped()
                        && entry.gid().isLinkLocal() == peer.isLinkLocal())
                .max(Comparator.<GidEntry>comparingInt(entry -> commonBits(entry.gid(), peer))
                        .thenComparing(Comparator.comparingInt(GidEntry::index).reversed()))
                .map(entry -> new GidSelection(
                        entry,
                        "nearest to " + peer.toInetAddress().getHostAddress() + ", an address of this machine: "
                                + kind(entry)));
    }

    private static int commonBits(Gid one, Gid other) {
        int prefix = Long.numberOfLeadingZeros(one.subnetPrefix() ^ other.subnetPrefix());
        return prefix < Long.SIZE
                ? prefix
                : prefix + Long.numberOfLeadingZeros(one.interfaceId() ^ other.interfaceId());
    }

    /// Returns a selector of the best entry of a network interface, by the preferences of [#automatic()].
    static GidSelector forInterface(String name) {
        return (context, port) -> {
            int index = context.device()
                    .host()
                    .interfaceIndex(name)
                    .orElseThrow(() -> new IllegalArgumentException("there is no network interface " + name));
            return best(context, port, entry -> entry.interfaceIndex() == index, "of interface " + name);
        };
    }

    private static GidSelection best(Context context, int port, Predicate<GidEntry> fits, String what) {
        List<GidEntry> all = context.gids(port);
        return all.stream()
                .filter(fits)
                .min(Comparator.comparingInt(GidSelector::rank).thenComparingInt(GidEntry::index))
                .map(entry -> new GidSelection(entry, "the best GID " + what + ": " + kind(entry)))
                .orElseThrow(() -> new IllegalStateException("port " + port + " of "
                        + context.device().name() + " has no GID " + what + "; it has "
                        + (all.isEmpty()
                                ? "none: give its network interface an address"
                                : all.stream()
                                        .map(entry -> entry.index() + ": " + entry.gid() + " (" + entry.type() + ")")
                                        .collect(Collectors.joining(", ")))));
    }

    private static int rank(GidEntry entry) {
        int family = entry.gid().isIpv4Mapped() ? 0 : entry.gid().isLinkLocal() ? 2 : 1;
        return entry.type().equals(GidType.ROCE_V2) ? family : 3 + family;
    }

    private static String kind(GidEntry entry) {
        String family = entry.gid().isIpv4Mapped() ? "IPv4" : entry.gid().isLinkLocal() ? "link-local" : "IPv6";
        return entry.type() + ", " + family + ", index " + entry.index();
    }
}
