// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.simulator.LinkConditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A wire between the lab's two devices that loses, duplicates, delays, reorders or corrupts packets (netem,
/// `tc-netem(8)`), or whose link goes down. Closing restores it. So does the end of the test ([Restoration]), even if
/// the test has exceeded its time limit and its thread hangs.
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
        LEFT(Rxe.LEFT, "veth0", "10.9.0.2 dev veth0 src 10.9.0.1 table 101"),
        /// That of the right device.
        RIGHT(Rxe.RIGHT, "veth1", "10.9.0.1 dev veth1 src 10.9.0.2 table 102");

        private final String device;
        private final String networkInterface;
        /// The kernel forgets a route over an interface that is set down.
        private final String route;

        Side(String device, String networkInterface, String route) {
            this.device = device;
            this.networkInterface = networkInterface;
            this.route = route;
        }

        private Side other() {
            return this == LEFT ? RIGHT : LEFT;
        }

        private String neighbour() {
            String peer = other().networkInterface;
            try {
                return "neighbour replace " + route.substring(0, route.indexOf(" src")) + " lladdr "
                        + Files.readString(Path.of("/sys/class/net", peer, "address")).strip() + " nud reachable";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final Set<Side> hurt = new LinkedHashSet<>();
    private final Set<Side> down = new LinkedHashSet<>();
    /// Simulated devices count from their beginning.
    private final Map<Side, Long> lostBefore = new EnumMap<>(Side.class);
    private boolean closed;

    /// A wire that nothing is wrong with yet.
    public ImpairedLink() {
        if (Simulated.isUsed()) {
            for (Side side : Side.values()) {
                lostBefore.put(side, Simulated.device(side.device).lost());
            }
        }
        OPEN.add(this);
    }

    /// Impairs both directions of the wire.
    ///
    /// @param netem netem parameters, such as `loss 1%`
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
        if (Simulated.isUsed()) {
            Stream.of(sides)
                    .forEach(side -> Simulated.device(side.device).conditions(Simulated.conditions(netem)));
            return;
        }
        // A lost question about the peer's Ethernet address is no subject here, and would keep a connection from being
        // made.
        batch("ip", Stream.of(Side.values()).map(Side::neighbour));
        batch("tc", Stream.of(sides)
                .map(side -> "qdisc replace dev " + side.networkInterface + " root netem limit 100000 " + netem));
    }

    /// Hurts what a side sends no more.
    public synchronized void heal(Side side) {
        if (hurt.remove(side)) {
            heal(Stream.of(side));
        }
    }

    private static void heal(Stream<Side> sides) {
        if (Simulated.isUsed()) {
            sides.forEach(side -> Simulated.device(side.device).conditions(LinkConditions.PERFECT));
        } else {
            batch("tc", sides.map(ImpairedLink::healing));
        }
    }

    private static String healing(Side side) {
        return "qdisc delete dev " + side.networkInterface + " root";
    }

    /// Packets that the wire has lost on purpose in what a side sends.
    public long lost(Side side) {
        if (Simulated.isUsed()) {
            return Simulated.device(side.device).lost() - lostBefore.getOrDefault(side, 0L);
        }
        String statistics = ExternalProcess.of("tc", "-s", "qdisc", "show", "dev", side.networkInterface)
                .run(LIMIT)
                .requireSuccess()
                .output();
        return Long.parseLong(statistics.replaceAll("(?s).*\\(dropped (\\d+),.*", "$1"));
    }

    /// Takes a side's link down, and waits until the other side's interface has noticed: a thread of the kernel tells
    /// it. Until then, the other side's packets fail, and rxe ends a connection whose packet fails.
    public synchronized void setDown(Side side) {
        requireOpen();
        down.add(side);
        if (Simulated.isUsed()) {
            Simulated.device(side.device).link(false);
            return;
        }
        batch("ip", Stream.of("link set " + side.networkInterface + " down"));
        Eventually.until(() -> !isUp(side.other()), () -> side.other() + " has not noticed that " + side + " is down");
    }

    private static boolean isUp(Side side) {
        try {
            return Files.readString(Path.of("/sys/class/net", side.networkInterface, "operstate")).equals("up\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Brings a side's link up again, and the way to the other side.
    public synchronized void setUp(Side side) {
        if (Simulated.isUsed()) {
            Simulated.device(side.device).link(true);
        } else {
            batch("ip", Stream.of("link set " + side.networkInterface + " up", "route replace " + side.route));
        }
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
            heal(hurt.stream());
            hurt.clear();
        }
    }
}
