// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/// The frequencies of steps in random walks, and of operations among the sends.
///
/// @param steps weights in the order of [Walks]
/// @param operations weights in the order of [Walks]
record Weights(List<Integer> steps, List<Integer> operations) {
    /// The weights of walks for which no others are asked.
    static final Weights USUAL = new Weights(
            List.of(14, 14, 5, 3, 2, 4, 9, 1, 1, 1, 1, 2), List.of(4, 2, 2, 4, 2, 3, 1, 1, 3, 2, 1, 1));

    private static final int HEAVIEST = 64;

    /// Chooses among operations.
    Arbitrary<Operation> ofOperations(List<Operation> kinds) {
        return Arbitraries.frequency(IntStream.range(0, kinds.size())
                .mapToObj(i -> Tuple.of(operations.get(i), kinds.get(i)))
                .toList());
    }

    /// Returns others, of which one to three differ: three times as much, or a third.
    Weights mutated(Random random) {
        var otherSteps = new ArrayList<>(steps);
        var otherOperations = new ArrayList<>(operations);
        for (int i = random.nextInt(3); i >= 0; i--) {
            List<Integer> changed = random.nextBoolean() ? otherSteps : otherOperations;
            int place = random.nextInt(changed.size());
            int weight = changed.get(place);
            changed.set(place, random.nextBoolean() ? Math.min(3 * weight, HEAVIEST) : Math.max(weight / 3, 1));
        }
        return new Weights(List.copyOf(otherSteps), List.copyOf(otherOperations));
    }

    @Override
    public String toString() {
        return text(steps) + ";" + text(operations);
    }

    private static String text(List<Integer> weights) {
        return weights.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
