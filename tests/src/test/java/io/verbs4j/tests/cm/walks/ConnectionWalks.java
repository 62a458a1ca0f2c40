// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import io.verbs4j.tests.cm.walks.Command.Kind;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.Tuple;

/// Makes walks by chance: the same seed makes the same walk.
final class ConnectionWalks {
    /// Few, so that they meet.
    static final int FIRST_PORT = 25_001;
    private static final int PORTS = 3;
    private static final int LONGEST = 60;
    private static final int GENERATION_SIZE = 1000;

    private ConnectionWalks() {}

    /// The walk of a seed, which knows shorter ones. Within a session of jqwik.
    static Shrinkable<List<Command>> of(long seed) {
        return commands()
                .list()
                .ofMinSize(1)
                .ofMaxSize(LONGEST)
                .generator(GENERATION_SIZE)
                .next(new Random(seed));
    }

    private static Arbitrary<Command> commands() {
        return Combinators.combine(
                kinds(),
                Arbitraries.integers().between(0, 7),
                Arbitraries.frequency(
                        Tuple.of(5, Place.RIGHT), Tuple.of(3, Place.LEFT), Tuple.of(2, Place.ANY),
                        Tuple.of(1, Place.FOREIGN), Tuple.of(1, Place.NOWHERE)),
                Arbitraries.integers().between(FIRST_PORT, FIRST_PORT + PORTS - 1),
                Arbitraries.of(0, 1, 56, 57, 136, 148, 180, 196, 197),
                Arbitraries.frequency(Tuple.of(14, false), Tuple.of(1, true)))
                .as(Command::new);
    }

    private static Arbitrary<Kind> kinds() {
        return Arbitraries.frequency(
                Tuple.of(40, Kind.ADVANCE),
                Tuple.of(5, Kind.CREATE),
                Tuple.of(3, Kind.CREATE_DATAGRAMS),
                Tuple.of(2, Kind.REUSE_ADDRESS),
                Tuple.of(4, Kind.BIND),
                Tuple.of(3, Kind.RESOLVE_ADDRESS),
                Tuple.of(2, Kind.RESOLVE_ROUTE),
                Tuple.of(3, Kind.LISTEN),
                Tuple.of(2, Kind.CONNECT),
                Tuple.of(2, Kind.ACCEPT),
                Tuple.of(2, Kind.CONFIRM),
                Tuple.of(4, Kind.REJECT),
                Tuple.of(4, Kind.DISCONNECT),
                Tuple.of(2, Kind.ATTRIBUTES_INIT),
                Tuple.of(2, Kind.ATTRIBUTES_RTR),
                Tuple.of(2, Kind.ATTRIBUTES_RTS),
                Tuple.of(2, Kind.MIGRATE),
                Tuple.of(4, Kind.CLOSE));
    }
}
