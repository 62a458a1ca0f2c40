// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Takes a walk on a device and on the model side by side.
final class WalkRun {
    /// An executed step and its outcome.
    ///
    /// @param index its number in the walk
    /// @param step the step
    /// @param outcome the model's outcome
    /// @param after the model's state afterwards
    /// @param arrived the new completions of each queue, those of the left end first
    record Taken(int index, Step step, Outcome outcome, State after, List<List<WalkCompletion>> arrived) {}

    /// Device and model differ, or the walk broke off.
    static final class Deviation extends WalkSearch.Deviation {
        private static final long serialVersionUID = 1;

        private final transient Walk walk;
        private final transient List<Taken> taken;

        private Deviation(Walk walk, String message, List<Taken> taken, @Nullable Throwable cause) {
            super(message, cause);
            this.walk = walk;
            this.taken = List.copyOf(taken);
        }

        /// The steps up to the one that went wrong.
        List<Taken> taken() {
            return taken;
        }

        @Override
        protected String program() {
            return "This program shows it:\n\n" + WalkProgram.of(walk, taken);
        }
    }

    /// Between two looks at a device that has not come to rest: the longer this has lasted, the less hurry there is.
    private static final long SHORTEST_PAUSE = 100_000;
    private static final long LONGEST_PAUSE = 5_000_000;

    private final Walk walk;
    private final WalkDevice device;
    private final Oracle oracle;
    private final Duration limit;
    private final List<Taken> taken = new ArrayList<>();

    private WalkRun(Walk walk, WalkDevice device, Oracle oracle, Duration limit) {
        this.walk = walk;
        this.device = device;
        this.oracle = oracle;
        this.limit = limit;
    }

    /// Executes a walk to its end or to the first difference.
    ///
    /// @param limit timeout for results that the model expects
    /// @return the executed steps
    /// @throws Deviation if device and model differ, or another exception is thrown
    static List<Taken> take(Walk walk, WalkDevice device, Set<Quirk> quirks, Duration limit) {
        var run = new WalkRun(walk, device, new Oracle(walk.patient(), quirks), limit);
        try (device) {
            int index = 0;
            for (Step step : walk.moves()) {
                run.step(index++, step);
            }
            for (Side side : Side.values()) {
                for (Queue queue : Queue.values()) {
                    run.step(index++, new Step.Poll(side, queue, Integer.MAX_VALUE));
                }
            }
            return List.copyOf(run.taken);
        } catch (Deviation e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw new Deviation(walk, "step " + (run.taken.size() - 1) + " or after it: " + e, run.taken, e);
        }
    }

    /// A search that takes walks over two queue pairs.
    static WalkSearch<Walk> search(WalkSearch.Taker<Walk> taker, Duration budget) {
        return new WalkSearch<>(Walks::of, taker, budget);
    }

    /// A search that takes several walks at a time, and longer ones.
    static WalkSearch<Walk> search(List<? extends WalkSearch.Taker<Walk>> lanes) {
        return new WalkSearch<>(Walks.longer(), lanes, WalkSearch.BUDGET);
    }

    /// As [#take(Walk, WalkDevice, Set, Duration)] on the running kernel's rxe.
    static List<Taken> take(Walk walk, Duration limit) {
        RxeDevice device;
        try {
            device = new RxeDevice(walk.patient(), DevicePair.ofTheLab());
        } catch (RuntimeException | Error e) {
            throw new Deviation(walk, "the start: " + e, List.of(), e);
        }
        return take(walk, device, Quirk.ofThisKernel(), limit);
    }

    private void step(int index, Step wanted) {
        Step step = oracle.admit(wanted);
        if (step == null) {
            return;
        }
        Outcome expected = oracle.perform(index, step);
        State after = oracle.state();
        taken.add(new Taken(index, step, expected, after, oracle.takeArrived()));
        Outcome actual = device.perform(index, step);
        if (!expected.equals(actual)) {
            throw deviation(index, step, List.of("the outcome is " + actual + ", expected " + expected));
        }
        long deadline = System.nanoTime() + limit.toNanos();
        for (long pause = SHORTEST_PAUSE; !device.isAt(after); pause = Math.min(pause + pause / 2, LONGEST_PAUSE)) {
            if (System.nanoTime() > deadline) {
                List<String> differences = after.differences(device.state());
                if (differences.isEmpty()) {
                    return;
                }
                throw deviation(index, step, differences);
            }
            device.pause(pause);
        }
    }

    /// A deviation that somebody else has found in a walk.
    static Deviation deviation(Walk walk, String message, List<Taken> taken) {
        return new Deviation(walk, message, taken, null);
    }

    private Deviation deviation(int index, Step step, List<String> differences) {
        return new Deviation(
                walk, "step " + index + ", " + step + ":\n  " + String.join("\n  ", differences), taken, null);
    }
}
