// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.CompletionQueue;
import io.verbs4j.StressContext;
import io.verbs4j.spi.Completion;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Completions of a kernel thread against the reads of [CompletionRing].
///
/// Beside each test stands one that is weakened by hand, and was seen to fail (docs/memory-model.md has the numbers).
public class PollingStress {
    private PollingStress() {}

    /// [WeakenedSingle] is seen to fail, [PlainSingle] is not.
    @JCStressTest
    @Description("One completion in a slot that was read before: a poll finds none, or the new one.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(expect = FORBIDDEN, desc = "that of the slot's former life")
    @State
    public static class Single {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);
        private final CompletionRing ring = new CompletionRing(kernel.memory);
        private final Completion completion = new Completion();

        @Actor
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
        }

        @Actor
        public void poll(II_Result result) {
            result.r1 = ring.begin();
            if (ring.next(completion)) {
                result.r2 = StressRing.number(completion);
            }
            ring.end();
        }
    }

    @JCStressTest
    @Description("The slot is read before the index, which must be seen to go wrong.")
    @Outcome(id = {"0, 0", "1, 11"}, expect = ACCEPTABLE, desc = "right")
    @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "that of the slot's former life")
    @Outcome(id = "1, -1", expect = ACCEPTABLE_INTERESTING, desc = "torn")
    @Outcome(expect = FORBIDDEN, desc = "something else")
    @State
    public static class WeakenedSingle {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);

        @Actor
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
        }

        @Actor
        public void poll(II_Result result) {
            int seen = kernel.element(0);
            result.r1 = kernel.producer();
            result.r2 = result.r1 == 0 ? 0 : seen;
        }
    }

    @JCStressTest
    @Description("The same with a plain load of the index, and a look at the slot before it: a compiler may keep what it saw"
            + " then. HotSpot 25 on x86-64 has not been seen to.")
    @Outcome(id = {"0, 0", "1, 11"}, expect = ACCEPTABLE, desc = "right")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "that of the slot's former life")
    @State
    public static class PlainSingle {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);
        private int seen;
        private int paused;

        @Actor
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
        }

        @Actor
        public void poll(II_Result result) {
            seen = kernel.element(0);
            paused = StressRing.pause(paused);
            result.r1 = (int) RxeQueueBuf.PRODUCER_INDEX.get(kernel.memory, 0L);
            result.r2 = result.r1 == 0 ? 0 : kernel.element(0);
        }
    }

    /// [WeakenedBatch] is seen to fail.
    @JCStressTest
    @Description("Two completions, one after the other: a poll finds as many as it says, whole.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "1, 11, 0", expect = ACCEPTABLE, desc = "the first, whole")
    @Outcome(id = "2, 11, 12", expect = ACCEPTABLE, desc = "both, whole")
    @Outcome(expect = FORBIDDEN, desc = "that of a slot's former life")
    @State
    public static class Batch {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);
        private final CompletionRing ring = new CompletionRing(kernel.memory);
        private final Completion completion = new Completion();

        @Actor
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
            kernel.setElement(1, 12);
            kernel.produced(2);
        }

        @Actor
        public void poll(III_Result result) {
            result.r1 = ring.begin();
            if (ring.next(completion)) {
                result.r2 = StressRing.number(completion);
            }
            if (ring.next(completion)) {
                result.r3 = StressRing.number(completion);
            }
            ring.end();
        }
    }

    @JCStressTest
    @Description("Slots that are read before the index, which must be seen to go wrong.")
    @Outcome(id = {"0, 0, 0", "1, 11, 0", "2, 11, 12"}, expect = ACCEPTABLE, desc = "right")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "that of a slot's former life")
    @State
    public static class WeakenedBatch {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);

        @Actor
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
            kernel.setElement(1, 12);
            kernel.produced(2);
        }

        @Actor
        public void poll(III_Result result) {
            int first = kernel.element(0);
            int second = kernel.element(1);
            result.r1 = kernel.producer();
            result.r2 = result.r1 > 0 ? first : 0;
            result.r3 = result.r1 > 1 ? second : 0;
        }
    }

    /// [WeakenedReuse] is seen to fail.
    @JCStressTest
    @Description("A full ring: the slot of the first of two completions is the second to be written again.")
    @Outcome(id = "2, 1, 2", expect = ACCEPTABLE, desc = "as they were completed")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before they were read")
    @State
    public static class Reuse {
        private final StressRing kernel = StressRing.ofCompletions(2, 0);
        private final CompletionRing ring = new CompletionRing(kernel.memory);
        private final Completion completion = new Completion();

        public Reuse() {
            kernel.setElement(0, 1);
            kernel.setElement(1, 2);
        }

        @Actor
        public void complete() {
            int producer = 2;
            for (int id = 11; id < 14 && !kernel.full(producer); id++) {
                kernel.setElement(producer, id);
                producer = (producer + 1) & 3;
                kernel.produced(producer);
            }
        }

        @Actor
        public void poll(III_Result result) {
            result.r1 = Math.min(ring.begin(), 2);
            ring.next(completion);
            result.r2 = StressRing.number(completion);
            ring.next(completion);
            result.r3 = StressRing.number(completion);
            ring.end();
        }
    }

    @JCStressTest
    @Description("Slots that are given back before they are read, which must be seen to go wrong.")
    @Outcome(id = "2, 1, 2", expect = ACCEPTABLE, desc = "as they were completed")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "overwritten before they were read")
    @State
    public static class WeakenedReuse {
        private final StressRing kernel = StressRing.ofCompletions(2, 0);
        private int paused;

        public WeakenedReuse() {
            kernel.setElement(0, 1);
            kernel.setElement(1, 2);
        }

        @Actor
        public void complete() {
            int producer = 2;
            for (int id = 11; id < 14 && !kernel.full(producer); id++) {
                kernel.setElement(producer, id);
                producer = (producer + 1) & 3;
                kernel.produced(producer);
            }
        }

        @Actor
        public void poll(III_Result result) {
            result.r1 = Math.min(kernel.producer() & 3, 2);
            kernel.consumed(2);
            paused = StressRing.pause(paused);
            result.r2 = kernel.element(0);
            result.r3 = kernel.element(1);
        }
    }

    /// With the lock of [CompletionQueue]. [WeakenedLocked] is seen to fail.
    @JCStressTest
    @Description("Of three completions, one thread takes one and another one all that there are, under a lock: each is taken once.")
    @Outcome(id = {"11, 1213, 3", "0, 111213, 3"}, expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "lost or taken twice")
    @State
    public static class Locked {
        private final StressRing kernel = threeCompletions();
        private final CompletionQueue queue =
                StressContext.completionQueue(new StressCompletionQueue(new CompletionRing(kernel.memory)));

        @Actor
        public void one(III_Result result) {
            queue.poll(1, completion -> result.r1 = (int) completion.workRequestId());
        }

        @Actor
        public void other(III_Result result) {
            try (var batch = queue.beginPoll()) {
                while (batch.next()) {
                    result.r2 = 100 * result.r2 + (int) batch.current().workRequestId();
                }
            }
        }

        @Arbiter
        public void end(III_Result result) {
            result.r3 = kernel.consumer();
        }
    }

    @JCStressTest
    @Description("The same without the lock, which must be seen to go wrong.")
    @Outcome(id = {"11, 1213, 3", "0, 111213, 3"}, expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "lost or taken twice")
    @State
    public static class WeakenedLocked {
        private final StressRing kernel = threeCompletions();
        private final CompletionRing ring = new CompletionRing(kernel.memory);
        private final Completion ofOne = new Completion();
        private final Completion ofOther = new Completion();

        @Actor
        public void one(III_Result result) {
            ring.begin();
            if (ring.next(ofOne)) {
                result.r1 = StressRing.number(ofOne);
            }
            ring.end();
        }

        @Actor
        public void other(III_Result result) {
            int there = ring.begin();
            for (int i = 0; i < there && ring.next(ofOther); i++) {
                result.r2 = 100 * result.r2 + StressRing.number(ofOther);
            }
            ring.end();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r3 = kernel.consumer();
        }
    }

    private static StressRing threeCompletions() {
        StressRing ring = StressRing.ofCompletions(3, 0);
        ring.setElement(0, 11);
        ring.setElement(1, 12);
        ring.setElement(2, 13);
        return ring;
    }

    /// [WeakenedSpinning] is seen to fail, [PlainSpinning] is not.
    @JCStressTest(Mode.Termination)
    @Description("A thread that polls again and again sees a completion some time.")
    @Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "seen")
    @Outcome(id = "STALE", expect = FORBIDDEN, desc = "the index was not looked at again")
    @State
    public static class Spinning {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);
        private final CompletionRing ring = new CompletionRing(kernel.memory);

        @Actor
        public void poll() {
            while (ring.begin() == 0) {
                // no completion yet
            }
        }

        @Signal
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
        }
    }

    @JCStressTest(Mode.Termination)
    @Description("The index is read once and kept, which must be seen never to end.")
    @Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "seen")
    @Outcome(id = "STALE", expect = ACCEPTABLE_INTERESTING, desc = "the index was not looked at again")
    @State
    public static class WeakenedSpinning {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);

        @Actor
        public void poll() {
            int producer = kernel.producer();
            while (producer == 0) {
                // no completion yet
            }
        }

        @Signal
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
        }
    }

    @JCStressTest(Mode.Termination)
    @Description("The same with a plain load of the index, which a compiler may take out of the loop. HotSpot 25 has not been seen"
            + " to.")
    @Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "seen")
    @Outcome(id = "STALE", expect = ACCEPTABLE_INTERESTING, desc = "the index was not looked at again")
    @State
    public static class PlainSpinning {
        private final StressRing kernel = StressRing.ofCompletions(0, 0);

        @Actor
        public void poll() {
            while ((int) RxeQueueBuf.PRODUCER_INDEX.get(kernel.memory, 0L) == 0) {
                // no completion yet
            }
        }

        @Signal
        public void complete() {
            kernel.setElement(0, 11);
            kernel.produced(1);
        }
    }
}
