// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.spi.Completion;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// What a kernel thread completes and [CompletionRing] reads.
public class PollingStress {
    private PollingStress() {}

    @JCStressTest
    @Description("One completion in a slot that was read before: a poll finds none, or the new one.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(expect = FORBIDDEN, desc = "that of the slot's former life")
    @State
    public static class Single {
        private final StressRing kernel = new StressRing(0, 0);
        private final CompletionRing ring = new CompletionRing(kernel.memory);
        private final Completion completion = new Completion();

        @Actor
        public void complete() {
            kernel.setId(0, 11);
            kernel.produced(1);
        }

        @Actor
        public void poll(II_Result result) {
            result.r1 = ring.begin();
            if (ring.next(completion)) {
                result.r2 = (int) completion.workRequestId();
            }
            ring.end();
        }
    }

    @JCStressTest
    @Description("The same with a plain load of the index, and a look at the slot before it: a compiler may keep what it saw"
            + " then. HotSpot 25 on x86-64 has not been seen to.")
    @Outcome(id = {"0, 0", "1, 11"}, expect = ACCEPTABLE, desc = "right")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "that of the slot's former life")
    @State
    public static class PlainSingle {
        private final StressRing kernel = new StressRing(0, 0);
        private long seen;
        private int paused;

        @Actor
        public void complete() {
            kernel.setId(0, 11);
            kernel.produced(1);
        }

        @Actor
        public void poll(II_Result result) {
            seen = kernel.id(0);
            paused = StressRing.pause(paused);
            result.r1 = (int) RxeQueueBuf.PRODUCER_INDEX.get(kernel.memory, 0L);
            result.r2 = result.r1 == 0 ? 0 : (int) kernel.id(0);
        }
    }

    @JCStressTest
    @Description("A full ring: the slot of the first of two completions is the second to be written again.")
    @Outcome(id = "2, 1, 2", expect = ACCEPTABLE, desc = "as they were completed")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before they were read")
    @State
    public static class Reuse {
        private final StressRing kernel = new StressRing(2, 0);
        private final CompletionRing ring = new CompletionRing(kernel.memory);
        private final Completion completion = new Completion();

        public Reuse() {
            kernel.setId(0, 1);
            kernel.setId(1, 2);
        }

        @Actor
        public void complete() {
            int producer = 2;
            for (int id = 11; id < 14 && !kernel.full(producer); id++) {
                kernel.setId(producer, id);
                producer = (producer + 1) & 3;
                kernel.produced(producer);
            }
        }

        @Actor
        public void poll(III_Result result) {
            result.r1 = Math.min(ring.begin(), 2);
            ring.next(completion);
            result.r2 = (int) completion.workRequestId();
            ring.next(completion);
            result.r3 = (int) completion.workRequestId();
            ring.end();
        }
    }

    @JCStressTest
    @Description("Slots that are given back before they are read, which must be seen to go wrong.")
    @Outcome(id = "2, 1, 2", expect = ACCEPTABLE, desc = "as they were completed")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "overwritten before they were read")
    @State
    public static class WeakenedReuse {
        private final StressRing kernel = new StressRing(2, 0);
        private int paused;

        public WeakenedReuse() {
            kernel.setId(0, 1);
            kernel.setId(1, 2);
        }

        @Actor
        public void complete() {
            int producer = 2;
            for (int id = 11; id < 14 && !kernel.full(producer); id++) {
                kernel.setId(producer, id);
                producer = (producer + 1) & 3;
                kernel.produced(producer);
            }
        }

        @Actor
        public void poll(III_Result result) {
            result.r1 = Math.min(kernel.producer() & 3, 2);
            kernel.consumed(2);
            paused = StressRing.pause(paused);
            result.r2 = (int) kernel.id(0);
            result.r3 = (int) kernel.id(1);
        }
    }

    @JCStressTest(Mode.Termination)
    @Description("A thread that polls again and again sees a completion some time.")
    @Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "seen")
    @Outcome(id = "STALE", expect = FORBIDDEN, desc = "the index was not looked at again")
    @State
    public static class Spinning {
        private final StressRing kernel = new StressRing(0, 0);
        private final CompletionRing ring = new CompletionRing(kernel.memory);

        @Actor
        public void poll() {
            while (ring.begin() == 0) {
                // no completion yet
            }
        }

        @Signal
        public void complete() {
            kernel.setId(0, 11);
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
        private final StressRing kernel = new StressRing(0, 0);

        @Actor
        public void poll() {
            while ((int) RxeQueueBuf.PRODUCER_INDEX.get(kernel.memory, 0L) == 0) {
                // no completion yet
            }
        }

        @Signal
        public void complete() {
            kernel.setId(0, 11);
            kernel.produced(1);
        }
    }
}
