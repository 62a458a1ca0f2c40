// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.types.QueuePairType;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.ActionChainArbitrary;
import net.jqwik.api.state.Transformer;
import org.jspecify.annotations.Nullable;

/// Compares the rings of a queue pair, of its completion queue and of a shared receive queue with a model of all their
/// bytes. Program and kernel act in any order, from any index, in any geometry that rxe creates.
///
/// A failure prints the seed and a minimized history; `@Property(seed = "…")` repeats it.
class RingMachineProperties {
    private static final int MAX_INLINE = 512;
    private static final int MAX_ELEMENTS = 32;

    private @Nullable RingMachine machine;

    @AfterTry
    void close() {
        if (machine != null) {
            machine.close();
            machine = null;
        }
    }

    @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
    void ringsHoldWhatWasPostedAndNothingElse(@ForAll("histories") ActionChain<RingMachine> history) {
        history.withInvariant("model and memory agree", RingMachine::check)
                .run()
                .checkRest();
    }

    @Provide
    Arbitrary<ActionChain<RingMachine>> histories() {
        return shapes().flatMap(this::histories);
    }

    private ActionChainArbitrary<RingMachine> histories(RingMachine.Shape shape) {
        return ActionChain.startWith(() -> started(shape))
                .withAction(8, actions(posts(shape), post -> step(post.toString(), m -> m.send(post))))
                .withAction(4, simple("publish sends", RingMachine::publishSends))
                .withAction(1, actions(flags(), begin -> step("abandon sends", m -> m.abandonSends(begin))))
                .withAction(1, simple("fill the send ring", RingMachine::sendUntilFull))
                .withAction(1, simple("doorbell", RingMachine::doorbell))
                .withAction(4, actions(receives(shape), receive -> step(
                        "receive " + receive, m -> m.receive(receive.get1(), receive.get2()))))
                .withAction(2, simple("publish receives", RingMachine::publishReceives))
                .withAction(1, actions(flags(), begin -> step("abandon receives", m -> m.abandonReceives(begin))))
                .withAction(3, actions(Combinators.combine(counts(), flags()).as(Tuple::of), poll -> step(
                        "poll " + poll, m -> m.poll(poll.get1(), poll.get2()))))
                .withAction(1, actions(sizes(), size -> step(
                        "resize completion ring to " + size, m -> m.resizeCompletions(size))))
                .withAction(1, actions(sizes(), size -> step(
                        "resize shared receive ring to " + size, m -> m.resizeReceives(size))))
                .withAction(2, simple("kernel works in the oldest send", RingMachine::kernelWorksInElement))
                .withAction(4, actions(counts(), count -> step(
                        "kernel takes " + count + " sends", m -> m.kernelTakesSends(count))))
                .withAction(3, actions(counts(), count -> step(
                        "kernel takes " + count + " receives", m -> m.kernelTakesReceives(count))))
                .withAction(4, actions(counts(), count -> step(
                        "kernel completes " + count, m -> m.kernelCompletes(count))))
                .withMaxTransformations(60);
    }

    /// Rings are large, and there are many histories: those of the previous one are released before the next begins.
    private RingMachine started(RingMachine.Shape shape) {
        close();
        RingMachine started = new RingMachine(shape);
        machine = started;
        return started;
    }

    private interface Step {
        void run(RingMachine machine);
    }

    private static Transformer<RingMachine> step(String name, Step step) {
        return Transformer.mutate(name, step::run);
    }

    private static Action<RingMachine> simple(String name, Step step) {
        return Action.just(step(name, step));
    }

    private static <T> Action<RingMachine> actions(
            Arbitrary<T> values, Function<T, Transformer<RingMachine>> step) {
        return (Action.Independent<RingMachine>) () -> values.map(step);
    }

    private static Arbitrary<Boolean> flags() {
        return Arbitraries.of(false, true);
    }

    private static Arbitrary<Integer> counts() {
        return Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.integers().between(1, 3)),
                Tuple.of(2, Arbitraries.integers().between(4, 40)),
                Tuple.of(1, Arbitraries.just(Integer.MAX_VALUE >> 16)));
    }

    private static Arbitrary<Integer> sizes() {
        return Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.integers().between(1, 20)),
                Tuple.of(1, Arbitraries.integers().between(1, 32767)));
    }

    private static Arbitrary<Tuple.Tuple2<Integer, Long>> receives(RingMachine.Shape shape) {
        return Combinators.combine(
                Arbitraries.frequencyOf(
                        Tuple.of(2, Arbitraries.just(1)),
                        Tuple.of(2, Arbitraries.integers().between(0, shape.receiveElements() + 1))),
                Arbitraries.longs())
                .as(Tuple::of);
    }

    /// Posts that the transport supports and, less often, any other; up to one element or byte too many.
    private static Arbitrary<PostKind.Post> posts(RingMachine.Shape shape) {
        Arbitrary<PostKind> fitting = shape.type() == QueuePairType.UD
                ? Arbitraries.of(PostKind.DATAGRAM, PostKind.DATAGRAM_LIST, PostKind.DATAGRAM_INLINE)
                : Arbitraries.of(PostKind.TRANSFER, PostKind.TRANSFER_LIST, PostKind.TRANSFER_INLINE, PostKind.BIND);
        return Combinators.combine(
                Arbitraries.frequencyOf(Tuple.of(3, fitting), Tuple.of(1, Arbitraries.of(PostKind.class))),
                Arbitraries.integers().between(0, 11),
                Arbitraries.integers().between(0, shape.sendElements() + 1),
                Arbitraries.frequencyOf(
                        Tuple.of(1, Arbitraries.just(0)),
                        Tuple.of(3, Arbitraries.integers().between(0, shape.inlineBytes())),
                        Tuple.of(1, Arbitraries.integers().between(shape.inlineBytes(), shape.inlineBytes() + 1))),
                Arbitraries.longs())
                .as(PostKind.Post::new);
    }

    private static Arbitrary<RingMachine.Shape> shapes() {
        Arbitrary<Integer> sendElements = Arbitraries.of(1, 2, 3, 5, 6, 19, MAX_ELEMENTS);
        Arbitrary<Integer> inline = Arbitraries.of(0, 16, 48, 100, 304, 305, MAX_INLINE);
        return Combinators.combine(
                Arbitraries.of(QueuePairType.RC, QueuePairType.RC, QueuePairType.UC, QueuePairType.UD),
                flags(),
                rings(),
                sendElements,
                inline,
                rings(),
                Arbitraries.of(0, 1, 2, 5, 13, 29, MAX_ELEMENTS),
                rings())
                .flatAs((type, shared, send, sges, bytes, receive, receiveElements, completions) -> Arbitraries
                        .of(7, 8)
                        .map(shift -> {
                            int payload = Math.max(bytes, 16 * sges);
                            return new RingMachine.Shape(
                                    type,
                                    shared,
                                    send,
                                    payload / 16,
                                    payload,
                                    receive,
                                    receiveElements,
                                    completions,
                                    shift);
                        }));
    }

    /// From 2 slots to 32768, mostly small, starting at any index and often just before the wrap.
    private static Arbitrary<RingMachine.Ring> rings() {
        return Combinators.combine(
                Arbitraries.frequencyOf(
                        Tuple.of(30, Arbitraries.integers().between(1, 4)),
                        Tuple.of(4, Arbitraries.integers().between(5, 10)),
                        Tuple.of(1, Arbitraries.integers().between(11, 15))),
                Arbitraries.integers().between(0, 32767),
                Arbitraries.integers().between(-3, 0),
                flags())
                .as((bits, anywhere, beforeWrap, nearEnd) -> {
                    int slots = 1 << bits;
                    return new RingMachine.Ring(slots, (nearEnd ? slots + beforeWrap : anywhere) & slots - 1);
                });
    }
}
