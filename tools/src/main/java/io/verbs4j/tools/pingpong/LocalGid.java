// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.Context;
import io.verbs4j.GidSelection;
import io.verbs4j.GidSelector;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.GidEntry;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Chooses a local GID: the one with the given index; otherwise the GID of the route to the server, if it belongs to
/// the device; otherwise the best one.
public final class LocalGid {
    private LocalGid() {}

    /// Returns the rule for the choice.
    ///
    /// @param index the value of `-g`; null if it was not given
    /// @param host the server; null at the server itself
    public static GidSelector selector(@Nullable Integer index, @Nullable String host) {
        if (index != null) {
            return (context, port) -> byIndex(context, port, index);
        }
        return host == null ? GidSelector.automatic() : (context, port) -> byRoute(context, port, host);
    }

    private static GidSelection byIndex(Context context, int port, int index) {
        List<GidEntry> table = context.gids(port);
        return table.stream()
                .filter(entry -> entry.index() == index)
                .findFirst()
                .map(entry -> new GidSelection(entry, "index " + index + " was set"))
                .orElseThrow(() -> noGid(
                        "port " + port + " of " + context.device().name() + " has no GID at index " + index, table));
    }

    private static ToolException noGid(String problem, List<GidEntry> table) {
        if (table.isEmpty()) {
            return new ToolException(
                    problem + ": its table is empty", "add an address to the network interface of the device");
        }
        String entries = table.stream()
                .map(entry -> entry.index() + " (" + AddressText.of(entry.gid()) + ", " + entry.type() + ")")
                .collect(Collectors.joining(", "));
        return new ToolException(problem + ": it has " + entries, "choose one of these with -g, or omit -g");
    }

    private static GidSelection byRoute(Context context, int port, String host) {
        try {
            return GidSelector.forPeer(InetAddress.getByName(host)).select(context, port);
        } catch (UnknownHostException | UncheckedIOException | IllegalStateException e) {
            // The host is unknown, which the exchange will report, or the route uses another device.
            return GidSelector.automatic().select(context, port);
        }
    }
}
