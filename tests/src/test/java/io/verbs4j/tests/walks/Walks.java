// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/// Makes walks by chance: the same seed makes the same walk.
final class Walks {
    private static final int LONGEST = 40;
    private static final int LONGEST_OF_MANY = 150;
    private static final int LONGEST_MESSAGE = 2500;
    private static final int GENERATION_SIZE = 1000;

    private Walks() {}

    /// The walk of a seed, which knows shorter ones. Within a session of jqwik.
    static Shrinkable<Walk> of(long seed) {
        return weighted(Weights.USUAL).apply(seed);
    }

    /// Returns a generator of walks by seed, with the given weights of steps and operations. It works within one
    /// session of jqwik.
    static LongFunction<Shrinkable<Walk>> weighted(Weights weights) {
        return from(() -> walks(steps(weights).list().ofMinSize(1).ofMaxSize(LONGEST)));
    }

    /// Returns a generator of longer walks by seed, which can shrink them. It is for many walks, because creating and
    /// closing a walk's objects takes as long as dozens of steps. It works within one session of jqwik.
    static LongFunction<Shrinkable<Walk>> longer() {
        return from(() -> walks(steps(Weights.USUAL).list()
                .ofMinSize(1)
                .ofMaxSize(LONGEST_OF_MANY)
                .withSizeDistribution(RandomDistribution.uniform())));
    }

    private static LongFunction<Shrinkable<Walk>> from(Supplier<Arbitrary<Walk>> walks) {
        return new LongFunction<>() {
            private @Nullable RandomGenerator<Walk> generator;

            @Override
            public Shrinkable<Walk> apply(long seed) {
                if (generator == null) {
                    generator = walks.get().generator(GENERATION_SIZE); // takes as long as some walks
                }
                return generator.next(new Random(seed));
            }
        };
    }

    private static Arbitrary<Walk> walks(Arbitrary<List<Step>> lists) {
        return Combinators.combine(Arbitraries.of(false, false, true), lists)
                .as((patient, steps) -> new Walk(patient, Stream.concat(
                        Stream.of(new Step.Connect(Side.LEFT)), steps.stream()).toList()));
    }

    private static Arbitrary<Step> steps(Weights weights) {
        List<Integer> often = weights.steps();
        return oneOf(
                Tuple.of(often.get(0), sends(weights)),
                Tuple.of(often.get(1), receives()),
                Tuple.of(
                        often.get(2),
                        Combinators.combine(sides(), queues(), Arbitraries.of(1, 2, 5, 100)).as(Step.Poll::new)),
                Tuple.of(
                        often.get(3),
                        Combinators.combine(sides(), queues(), Arbitraries.of(true, false)).as(Step.Arm::new)),
                Tuple.of(
                        often.get(4),
                        Combinators.combine(sides(), queues(), Arbitraries.of(0, 1, 5, 30, 63, 100, 200))
                                .as(Step.Resize::new)),
                Tuple.of(often.get(5), modifications()),
                Tuple.of(often.get(6), sides().map(Step.Connect::new)),
                Tuple.of(often.get(7), Combinators.combine(sides(), queues()).as(Step.RenewQueue::new)),
                Tuple.of(often.get(8), Combinators.combine(sides(), regionNumbers()).as(Step.RenewRegion::new)),
                Tuple.of(often.get(9), Combinators.combine(sides(), windowNumbers()).as(Step.RenewWindow::new)),
                Tuple.of(often.get(10), sides().map(Step.CloseQueuePair::new)),
                Tuple.of(often.get(11), sides().map(Step.CreateQueuePair::new)));
    }

    /// Replaces `Arbitraries.frequencyOf`, which searches for the generator of a value each time and took most of the
    /// time.
    @SafeVarargs
    private static <T> Arbitrary<T> oneOf(Tuple.Tuple2<Integer, ? extends Arbitrary<? extends T>>... choices) {
        var makers = new ArrayList<RandomGenerator<? extends T>>();
        for (var choice : choices) {
            makers.addAll(Collections.nCopies(choice.get1(), choice.get2().generator(GENERATION_SIZE)));
        }
        return Arbitraries.fromGenerator(random -> made(makers.get(random.nextInt(makers.size())), random));
    }

    @SuppressWarnings("unchecked") // whoever takes a part for the whole only reads
    private static <T> Shrinkable<T> made(RandomGenerator<? extends T> maker, Random random) {
        return (Shrinkable<T>) maker.next(random);
    }

    private static Arbitrary<Side> sides() {
        return Arbitraries.of(Side.class);
    }

    private static Arbitrary<Queue> queues() {
        return Arbitraries.of(Queue.class);
    }

    private static Arbitrary<Integer> regionNumbers() {
        return Arbitraries.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 2);
    }

    private static Arbitrary<Integer> windowNumbers() {
        return Arbitraries.of(0, 1, 1);
    }

    private static Arbitrary<Step> modifications() {
        var states = Arbitraries.of(
                QueuePairState.RESET,
                QueuePairState.INIT,
                QueuePairState.INIT,
                QueuePairState.RTR,
                QueuePairState.RTR,
                QueuePairState.RTS,
                QueuePairState.RTS,
                QueuePairState.SQD,
                QueuePairState.ERR);
        var attributes = Arbitraries.frequency(
                Tuple.of(5, Step.Attributes.REQUIRED),
                Tuple.of(2, Step.Attributes.MISSING),
                Tuple.of(1, Step.Attributes.FOREIGN));
        var rights = Arbitraries.of(Layout.remoteRights(), Access.REMOTE_READ.value(), 0);
        return Combinators.combine(sides(), states, attributes, rights).as(Step.Modify::new);
    }

    private static Arbitrary<Step> sends(Weights weights) {
        return Combinators.combine(sides(), requests(weights).list().ofMinSize(1).ofMaxSize(3)).as(Step.Send::new);
    }

    private static Arbitrary<Step> receives() {
        var receive = parts(Layout.ELEMENTS);
        return Combinators.combine(sides(), receive.list().ofMinSize(1).ofMaxSize(4)).as(Step.Receive::new);
    }

    private static Arbitrary<List<Part>> parts(int elements) {
        return oneOf(
                Tuple.of(3, part().list().ofSize(1)),
                Tuple.of(2, part().list().ofMaxSize(elements)),
                // one more than there is room for
                Tuple.of(1, Combinators.combine(part().list().ofMaxSize(elements), Arbitraries.of(0, 0, 0, 1), part())
                        .as((parts, more, last) -> parts.size() == elements && more == 1
                                ? Stream.concat(parts.stream(), Stream.of(last)).toList()
                                : parts)));
    }

    private static Arbitrary<Part> part() {
        return Combinators.combine(regionNumbers(), offsets(), lengths(), seldom()).as(Walks::part);
    }

    /// Within its region, mostly: a few lead out of it.
    private static Part part(int region, int offset, int length, boolean wrongKey) {
        int bytes = Layout.REGIONS.get(region).bytes();
        int from = offset % bytes;
        boolean leadsOut = length % 97 == 96;
        return new Part(region, from, leadsOut ? length : Math.min(length, bytes - from), wrongKey);
    }

    private static Arbitrary<Integer> offsets() {
        return oneOf(
                Tuple.of(3, Arbitraries.integers().between(0, 255).map(number -> number * 8)),
                Tuple.of(1, Arbitraries.integers().between(0, 4095)));
    }

    private static Arbitrary<Integer> lengths() {
        return oneOf(
                Tuple.of(1, Arbitraries.just(0)),
                Tuple.of(6, Arbitraries.integers().between(1, 64)),
                Tuple.of(2, Arbitraries.integers().between(65, Layout.MTU + 1)),
                Tuple.of(2, Arbitraries.integers().between(Layout.MTU + 1, LONGEST_MESSAGE)));
    }

    private static Arbitrary<Boolean> seldom() {
        return Arbitraries.frequency(Tuple.of(60, false), Tuple.of(1, true));
    }

    private static Arbitrary<Boolean> often() {
        return Arbitraries.frequency(Tuple.of(3, true), Tuple.of(1, false));
    }

    private static Arbitrary<Target> targets() {
        return Combinators.combine(
                Arbitraries.frequency(Tuple.of(3, false), Tuple.of(1, true)),
                regionNumbers(),
                windowNumbers(),
                offsets(),
                seldom())
                .as((window, region, number, offset, wrong) -> new Target(window, window ? number : region, offset,
                        wrong));
    }

    private static Arbitrary<SendRequest> requests(Weights weights) {
        var operations = weights.ofOperations(List.of(
                Operation.SEND,
                Operation.SEND_WITH_IMMEDIATE,
                Operation.SEND_WITH_INVALIDATE,
                Operation.RDMA_WRITE,
                Operation.RDMA_WRITE_WITH_IMMEDIATE,
                Operation.RDMA_READ,
                Operation.COMPARE_AND_SWAP,
                Operation.FETCH_AND_ADD,
                Operation.BIND,
                Operation.LOCAL_INVALIDATE,
                Operation.ATOMIC_WRITE,
                Operation.FLUSH));
        var flags = Combinators.combine(often(), Arbitraries.of(true, false), seldom(), Arbitraries.of(true, false))
                .as(Tuple::of);
        var values = Combinators.combine(
                Arbitraries.integers(), Arbitraries.of(Oracle.MATCHING, 0L)).as(Tuple::of);
        return Combinators.combine(operations, flags, parts(Layout.ELEMENTS), targets(), values)
                .as((operation, flag, parts, target, value) -> request(
                        operation,
                        flag.get1(),
                        flag.get2(),
                        flag.get3(),
                        flag.get4(),
                        parts,
                        target,
                        value.get1(),
                        value.get2()));
    }

    /// Brings what chance put together into the form that the operation needs.
    private static SendRequest request(
            Operation operation,
            boolean signaled,
            boolean solicited,
            boolean fenced,
            boolean inline,
            List<Part> parts,
            Target target,
            int value,
            long expected) {
        Part first = parts.isEmpty() ? new Part(0, 0, 0, false) : parts.getFirst();
        int bytes = Layout.REGIONS.get(first.region()).bytes();
        boolean copies = operation.carries && inline && first.length() <= Layout.INLINE * 5 / 4
                && first.offset() + first.length() <= bytes;
        return switch (operation) {
            case BIND -> new SendRequest(
                    operation,
                    signaled,
                    false,
                    fenced,
                    false,
                    List.of(new Part(
                            first.region(), first.offset(), Math.min(first.length(), bytes - first.offset()), false)),
                    new Target(true, value % 4 == 0 ? 0 : 1, 0, false),
                    value % 3 == 0 ? value & Layout.windowRights() : Layout.windowRights(),
                    0);
            case LOCAL_INVALIDATE -> new SendRequest(
                    operation, signaled, false, fenced, false, List.of(), invalidated(target, value), value, 0);
            case ATOMIC_WRITE -> new SendRequest(
                    operation, signaled, false, fenced, false, List.of(), target, value, 0);
            case FLUSH -> new SendRequest(
                    operation,
                    signaled,
                    false,
                    fenced,
                    false,
                    List.of(new Part(first.region(), first.offset(), first.length(), false)),
                    target,
                    value,
                    0);
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> new SendRequest(
                    operation,
                    signaled,
                    false,
                    fenced,
                    false,
                    List.of(new Part(
                            first.region() == 2 ? 0 : first.region(),
                            Math.min(first.offset(), bytes - Long.BYTES) % 2040,
                            Long.BYTES,
                            false)),
                    target,
                    value,
                    expected);
            default -> new SendRequest(
                    operation,
                    signaled,
                    solicited,
                    fenced,
                    copies,
                    copies ? List.of(first) : parts,
                    operation == Operation.SEND_WITH_INVALIDATE ? invalidated(target, value) : target,
                    value,
                    0);
        };
    }

    /// Mostly the key that can be invalidated.
    private static Target invalidated(Target target, int value) {
        return value % 4 == 0 ? target : new Target(true, 1, 0, false);
    }
}
