// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.KernelArcs;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ResultFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random walks steered to unreached code, on a kernel that counts: rounds of a few walks with their own weights each.
/// Weights that reached new code are varied and used again, in proportion to their success.
///
/// `tools/lab kernel-coverage --walks N` runs N walks, and sets an earlier run in `VERBS4J_KNOWN_COUNTS`. Code reached
/// by that run is not new.
@DeviceTest
@RealKernel("what it counts of itself")
@Needs.EachKernel
class SteeredWalksIT {
    private static final int OF_A_ROUND = 5;
    private static final int USUAL_ROUNDS = 2;

    /// A round.
    ///
    /// @param found number of new arcs
    private record Round(Weights weights, long firstSeed, int found) {}

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void goAsTheModelSaysWhereNothingHasBeen() {
        assumeTrue(KernelArcs.areCounted(), "the kernel does not count what runs");
        Set<KernelArcs.Arc> reached = new HashSet<>();
        String earlier = System.getenv("VERBS4J_KNOWN_COUNTS");
        if (earlier != null) {
            reached.addAll(KernelArcs.reached(Path.of(earlier)));
        }
        long seed = WalkSearch.firstSeed();
        var random = new Random(seed);
        var rounds = new ArrayList<Round>();
        int wanted = Integer.getInteger("walks", USUAL_ROUNDS * OF_A_ROUND) / OF_A_ROUND;
        for (int i = 0; i < wanted; i++) {
            Weights weights = i == 0 ? Weights.USUAL : best(rounds, random).mutated(random);
            new WalkSearch<>(Walks.weighted(weights), WalkRun::take, WalkSearch.BUDGET)
                    .run(seed, OF_A_ROUND, Duration.ZERO);
            Set<KernelArcs.Arc> now = KernelArcs.reached();
            now.removeAll(reached);
            reached.addAll(now);
            rounds.add(new Round(weights, seed, now.size()));
            seed += OF_A_ROUND;
        }
        write(rounds);
        assertThat(reached).hasSizeGreaterThan(1000);
    }

    /// The better of two.
    private static Weights best(List<Round> rounds, Random random) {
        Round one = rounds.get(random.nextInt(rounds.size()));
        Round other = rounds.get(random.nextInt(rounds.size()));
        return (one.found > other.found ? one : other).weights;
    }

    private static void write(List<Round> rounds) {
        var file = new ResultFile("steered-walks.tsv");
        for (Round round : rounds) {
            if (round.found > 0) {
                file.add(Integer.toString(round.found), Long.toString(round.firstSeed), round.weights.toString());
            }
        }
        file.write();
    }
}
