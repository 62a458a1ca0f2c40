// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A wire between the lab's two devices that loses, doubles, delays, reorders or corrupts packets (netem, `tc-netem(8)`), or
/// whose link goes down. Closing restores it, whatever was done.
public final class HurtWire implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// One end of the wire.
    public enum Side {
        /// That of the left device: what it hurts goes from left to right.
        LEFT("veth0", "10.9.0.2 dev veth0 src 10.9.0.1 table 101"),
        /// That of the right device.
        RIGHT("veth1", "10.9.0.1 dev veth1 src 10.9.0.2 table 102");

        private final String networkInterface;
        /// The kernel forgets a route over an interface that is set down.
        private final String route;

        Side(String networkInterface, String route) {
            this.networkInterface = networkInterface;
            this.route = route;
        }
    }

    private final Set<Side> hurt = new LinkedHashSet<>();
    private final Set<Side> down = new LinkedHashSet<>();

    /// A wire that nothing is wrong with yet.
    public HurtWire() {}

    /// A wire that is hurt both ways.
    ///
    /// @param netem such as `loss 1%`
    public static HurtWire bothWays(String netem) {
        return new HurtWire().hurt(Side.LEFT, netem).hurt(Side.RIGHT, netem);
    }

    /// Hurts what a side sends, in place of what hurt it before.
    public HurtWire hurt(Side side, String netem) {
        hurt.add(side);
        var command = new ArrayList<>(
                List.of("tc", "qdisc", "replace", "dev", side.networkInterface, "root", "netem", "limit", "100000"));
        command.addAll(List.of(netem.split(" ")));
        run(command);
        return this;
    }

    /// Hurts what a side sends no more.
    public void heal(Side side) {
        if (hurt.remove(side)) {
            run(List.of("tc", "qdisc", "delete", "dev", side.networkInterface, "root"));
        }
    }

    /// Packets that the wire has lost on purpose in what a side sends.
    public long lost(Side side) {
        String statistics = run(List.of("tc", "-s", "qdisc", "show", "dev", side.networkInterface));
        String dropped = statistics.replaceAll("(?s).*\\(dropped (\\d+),.*", "$1");
        return Long.parseLong(dropped);
    }

    /// Takes a side's link down.
    public void setDown(Side side) {
        down.add(side);
        run(List.of("ip", "link", "set", side.networkInterface, "down"));
    }

    /// Brings a side's link up again, and the way to the other side.
    public void setUp(Side side) {
        run(List.of("ip", "link", "set", side.networkInterface, "up"));
        var route = new ArrayList<>(List.of("ip", "route", "replace"));
        route.addAll(List.of(side.route.split(" ")));
        run(route);
        down.remove(side);
    }

    private static String run(List<String> command) {
        return ExternalProcess.of(command).run(LIMIT).requireSuccess().output();
    }

    @Override
    public void close() {
        List.copyOf(down).forEach(this::setUp);
        List.copyOf(hurt).forEach(this::heal);
    }
}
