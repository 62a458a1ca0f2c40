// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A wire between the lab's two devices that loses, doubles, delays, reorders or corrupts packets (netem, `tc-netem(8)`), or
/// whose link goes down. Closing restores it, whatever was done; so does the end of the test ([Restoration]), also where the
/// test has run into its time limit and its thread hangs.
public final class ImpairedLink implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Set<ImpairedLink> OPEN = ConcurrentHashMap.newKeySet();

    /// Restores what a test has left hurt, for the tests that come after it.
    static final class Restoration implements AfterEachCallback {
        @Override
        public void afterEach(ExtensionContext context) {
            OPEN.forEach(ImpairedLink::close);
        }
    }

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
    private boolean closed;

    /// A wire that nothing is wrong with yet.
    public ImpairedLink() {
        OPEN.add(this);
    }

    /// A wire that is hurt both ways.
    ///
    /// @param netem such as `loss 1%`
    public static ImpairedLink bothWays(String netem) {
        var wire = new ImpairedLink();
        wire.hurt(netem, Side.values());
        return wire;
    }

    /// Hurts what a side sends, in place of what hurt it before.
    public ImpairedLink hurt(Side side, String netem) {
        hurt(netem, side);
        return this;
    }

    private synchronized void hurt(String netem, Side... sides) {
        requireOpen();
        hurt.addAll(List.of(sides));
        batch("tc", Stream.of(sides)
                .map(side -> "qdisc replace dev " + side.networkInterface + " root netem limit 100000 " + netem));
    }

    /// Hurts what a side sends no more.
    public synchronized void heal(Side side) {
        if (hurt.remove(side)) {
            batch("tc", Stream.of(healing(side)));
        }
    }

    private static String healing(Side side) {
        return "qdisc delete dev " + side.networkInterface + " root";
    }

    /// Packets that the wire has lost on purpose in what a side sends.
    public long lost(Side side) {
        String statistics = ExternalProcess.of("tc", "-s", "qdisc", "show", "dev", side.networkInterface)
                .run(LIMIT)
                .requireSuccess()
                .output();
        return Long.parseLong(statistics.replaceAll("(?s).*\\(dropped (\\d+),.*", "$1"));
    }

    /// Takes a side's link down.
    public synchronized void setDown(Side side) {
        requireOpen();
        down.add(side);
        batch("ip", Stream.of("link set " + side.networkInterface + " down"));
    }

    /// Brings a side's link up again, and the way to the other side.
    public synchronized void setUp(Side side) {
        batch("ip", Stream.of("link set " + side.networkInterface + " up", "route replace " + side.route));
        down.remove(side);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the wire was restored: its test is over");
        }
    }

    /// One process for all, since each takes its time to start.
    private static void batch(String program, Stream<String> lines) {
        ExternalProcess.of(program, "-batch", "-")
                .input(lines.collect(Collectors.joining("\n", "", "\n")))
                .run(LIMIT)
                .requireSuccess();
    }

    @Override
    public synchronized void close() {
        closed = true;
        OPEN.remove(this);
        List.copyOf(down).forEach(this::setUp);
        if (!hurt.isEmpty()) {
            batch("tc", hurt.stream().map(ImpairedLink::healing));
            hurt.clear();
        }
    }
}
