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

/// Chooses which of our GIDs a queue pair speaks from. The index is what people get wrong first on RoCE: two ends understand
/// each other only with GIDs of the same type and IP family.
@FunctionalInterface
public interface GidSelector {
    /// UDP port of RoCE v2.
    int ROCE_V2_PORT = Host.ROCE_V2_PORT;

    /// Chooses an entry of a port's table.
    ///
    /// @throws IllegalStateException if none fits; the message lists those that are there
    GidSelection select(Context context, int port);

    /// RoCE v2 before anything else, then IPv4, then global IPv6, then link-local; the lowest index of the best kind.
    static GidSelector automatic() {
        return (context, port) -> best(context, port, entry -> true, "there");
    }

    /// The entry with this index.
    static GidSelector index(int index) {
        return (context, port) -> new GidSelection(context.gid(port, index), "index " + index + " was asked for");
    }

    /// The entry that the routing table would send from, to reach a peer's IP address.
    ///
    /// To an address of this machine the routing table would send from that same address, whichever device has it. If that is
    /// another device, the entry is the one of the same family whose address has most leading bits in common with the peer's.
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
                    "with address " + source.toInetAddress().getHostAddress() + ", from where packets to "
                            + peer.getHostAddress() + " are sent");
        };
    }

    /// The entry to reach another device of this machine from, or the same one.
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

    /// The best entry of a network interface.
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
