// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;

/// A walk can fail: a device that lies is caught, whatever it lies about. The device is the model itself, and a lie.
class OracleTest {
    private static final int WALKS = 300;
    private static final Set<Quirk> QUIRKS = EnumSet.allOf(Quirk.class);

    /// A device that does all that the model says, except where a lie overrides it.
    private static class Truthful implements WalkDevice {
        final Oracle model;

        Truthful(Walk walk) {
            model = new Oracle(walk.patient(), QUIRKS);
        }

        @Override
        public Outcome perform(int index, Step step) {
            return model.perform(index, step);
        }

        @Override
        public State state() {
            return model.state();
        }

        @Override
        public void close() {
            model.close();
        }
    }

    private static AssertionError caught(Function<Walk, WalkDevice> device) {
        try {
            search(device).run(1, WALKS, Duration.ZERO);
        } catch (AssertionError e) {
            return e;
        }
        throw new AssertionError("the lie was believed in " + WALKS + " walks");
    }

    private static WalkSearch<Walk> search(Function<Walk, WalkDevice> device) {
        return WalkRun.search(
                (walk, limit) -> WalkRun.take(walk, device.apply(walk), QUIRKS, Duration.ZERO), Duration.ofSeconds(2));
    }

    @Test
    void aDeviceThatDoesWhatTheModelSaysPasses() {
        search(Truthful::new).run(1, WALKS, Duration.ZERO);
    }

    @Test
    void swappedCompletionsAreCaught() {
        caught(walk -> new Truthful(walk) {
            @Override
            public Outcome perform(int index, Step step) {
                var outcome = super.perform(index, step);
                var swapped = new ArrayList<>(outcome.completions());
                if (swapped.size() > 1) {
                    Collections.swap(swapped, 0, 1);
                    return Outcome.completions(swapped);
                }
                return outcome;
            }
        });
    }

    @Test
    void aForgottenFlushIsCaught() {
        caught(walk -> new Truthful(walk) {
            @Override
            public Outcome perform(int index, Step step) {
                var outcome = super.perform(index, step);
                var kept = outcome.completions().stream().filter(completion -> completion.status() != 5).toList();
                return kept.size() == outcome.completions().size() ? outcome : Outcome.completions(kept);
            }
        });
    }

    @Test
    void aWrongByteIsCaught() {
        caught(walk -> new Truthful(walk) {
            @Override
            public State state() {
                var state = super.state();
                if (state.memory()[3][100] != Layout.content(Side.RIGHT, 0)[100]) {
                    state.memory()[3][101] ^= 1;
                }
                return state;
            }
        });
    }

    @Test
    void aForgottenEventIsCaught() {
        caught(walk -> new Truthful(walk) {
            @Override
            public State state() {
                var state = super.state();
                state.numbers()[7] = 0;
                return state;
            }
        });
    }

    @Test
    void anIndexThatDoesNotGoOnIsCaught() {
        for (int number : List.of(1, 2, 3, 4, 5, 6, 8, 9)) {
            caught(walk -> new Truthful(walk) {
                @Override
                public State state() {
                    var state = super.state();
                    state.numbers()[number] = Math.min(state.numbers()[number], 1);
                    return state;
                }
            });
        }
    }

    @Test
    void anotherErrorNumberIsCaught() {
        caught(walk -> new Truthful(walk) {
            @Override
            public Outcome perform(int index, Step step) {
                var outcome = super.perform(index, step);
                return outcome.text().equals("EINVAL") ? Outcome.refused(95) : outcome;
            }
        });
    }

    @Test
    void eachQuirkShows() {
        // Too rare for chance: OracleWindowsTest walks there.
        for (Quirk quirk : EnumSet.complementOf(EnumSet.of(Quirk.WAITING_REQUESTS_OUTRUN_FAILURES))) {
            var others = EnumSet.allOf(Quirk.class);
            others.remove(quirk);
            if (quirk == Quirk.WRONG_SEND_KEYS_ARE_OPERATION_ERRORS) {
                others.remove(Quirk.LOCAL_FAILURES_ARE_FLUSHES); // which hides it
            }
            var with = EnumSet.copyOf(others);
            with.add(quirk);
            var search = WalkRun.search(
                    (walk, limit) -> WalkRun.take(walk, new Oracle(walk.patient(), with), others, Duration.ZERO),
                    Duration.ZERO);
            assertThat(catchThrowable(() -> search.run(1, 4 * WALKS, Duration.ZERO)))
                    .as(quirk.name())
                    .isInstanceOf(AssertionError.class);
        }
    }

    /// Chance brings all there is to see: every operation succeeds, fails in every way, and every refusal is met.
    @Test
    void walksGoEverywhere() {
        var quirks =
                EnumSet.complementOf(EnumSet.of(Quirk.LOCAL_FAILURES_ARE_FLUSHES, Quirk.NO_ATOMIC_WRITE_AND_NO_FLUSH));
        var statuses = new TreeSet<Integer>();
        var opcodes = new TreeSet<Integer>();
        var outcomes = new TreeSet<String>();
        JqwikSession.run(() -> {
            for (long seed = 1; seed <= WALKS; seed++) {
                var walk = Walks.of(seed).value();
                for (var taken : WalkRun.take(walk, new Oracle(walk.patient(), quirks), quirks, Duration.ZERO)) {
                    outcomes.add(taken.outcome().text());
                    taken.arrived().stream().flatMap(List::stream).forEach(completion -> {
                        statuses.add(completion.status());
                        if (completion.status() == 0) {
                            opcodes.add(completion.opcode());
                        }
                    });
                }
            }
        });
        assertThat(statuses).containsExactly(0, 2, 4, 5, 6, 9, 10, 11, 12, 13);
        assertThat(opcodes).containsExactly(0, 1, 2, 3, 4, 5, 6, 8, 9, 128, 129);
        assertThat(outcomes)
                .contains("done", "posted 0", "posted 3", "EINVAL", "IllegalStateException",
                        "IllegalArgumentException");
    }

    /// It would stop the machine.
    @Test
    void noWalkInvalidatesAFreeWindow() {
        var oracle = new Oracle(false, QUIRKS);
        new Step.Connect(Side.LEFT).moves().forEach(move -> oracle.perform(0, move));
        for (var operation : List.of(Operation.LOCAL_INVALIDATE, Operation.SEND_WITH_INVALIDATE)) {
            for (int window = 0; window < Layout.WINDOWS; window++) {
                var request = new SendRequest(
                        operation, true, false, false, false, List.of(), new Target(true, window, 0, false), 0, 0);
                var admitted = oracle.admit(new Step.Send(Side.LEFT, List.of(request)));
                assertThat(admitted == null).as("%s of window %d", operation, window).isEqualTo(window == 1);
            }
        }
    }

    /// They would never end.
    @Test
    void noWalkFencesWhatAReadMayHoldUpOrNobodyAnswers() {
        var oracle = new Oracle(false, QUIRKS);
        new Step.Connect(Side.LEFT).moves().forEach(move -> oracle.perform(0, move));
        var read = fenced(Operation.RDMA_READ);
        var write = fenced(Operation.RDMA_WRITE);
        assertThat(oracle.admit(send(read, write))).isEqualTo(send(read.fenced(false), write));
        assertThat(oracle.admit(send(write, read))).isEqualTo(send(write.fenced(false), read.fenced(false)));
        oracle.perform(0, new Step.CloseQueuePair(Side.RIGHT));
        assertThat(oracle.admit(send(write))).isEqualTo(send(write.fenced(false)));
    }

    private static SendRequest fenced(Operation operation) {
        return new SendRequest(operation, true, false, true, false, List.of(), new Target(false, 0, 0, false), 0, 0);
    }

    private static Step send(SendRequest... requests) {
        return new Step.Send(Side.LEFT, List.of(requests));
    }

    /// A device that breaks down is a failure with a seed like any other.
    @Test
    void aDeviceThatThrowsIsCaught() {
        assertThat(caught(walk -> new Truthful(walk) {
            @Override
            public State state() {
                throw new ArithmeticException("broken");
            }
        }).getMessage()).containsPattern("the walk of seed \\d+ .*step 0 or after it: .*broken")
                .contains("void main()");
    }

    /// The rest of a walk shows the failure and nothing else.
    @Test
    void failuresAreMadeShortAndShown() {
        var failure = caught(walk -> new Truthful(walk) {
            @Override
            public Outcome perform(int index, Step step) {
                var outcome = super.perform(index, step);
                return step instanceof Step.RenewRegion ? Outcome.refused(22) : outcome;
            }
        });
        assertThat(failure.getMessage())
                .containsPattern("the walk of seed \\d+ went otherwise")
                .contains("the outcome is EINVAL, expected done", "void main()", ".regions[")
                .doesNotContain("beginSend", "beginReceive");
    }

    @Test
    void theSameSeedIsTheSameWalk() {
        JqwikSession.run(() -> assertThat(Walks.of(17).value()).isEqualTo(Walks.of(17).value()));
    }
}
