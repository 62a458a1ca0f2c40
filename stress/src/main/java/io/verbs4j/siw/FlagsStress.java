// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.WorkRequestOpcode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Posts and polls of one thread by [SiwSendRing] and [FlaggedCompletionRing], with a kernel thread at the other end:
/// the flags of elements, and the control word that arms a queue.
///
/// Beside each test stands one that is weakened by hand.
public class FlagsStress {
    private FlagsStress() {}

    private static SiwSendRing sends(KernelFlags kernel) {
        return new SiwSendRing(
                kernel.memory, KernelFlags.SLOTS, SiwSendRing.limits(1, 0, Integer.MAX_VALUE), false, () -> 0);
    }

    private static void post(SiwSendRing ring, int number) {
        ring.post(SendRequest.of(number, 0).operation(WorkRequestOpcode.SEND), number, 1, 0);
    }

    private static FlaggedCompletionRing completions(KernelFlags kernel) {
        return new FlaggedCompletionRing(kernel.memory, KernelFlags.SLOTS);
    }

    @JCStressTest
    @Description("One send: the kernel sees none, or a whole one.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(expect = FORBIDDEN, desc = "valid before it was written")
    @State
    public static class Send {
        private final KernelFlags kernel = new KernelFlags();
        private final SiwSendRing ring = sends(kernel);

        @Actor
        public void post() {
            ring.begin();
            FlagsStress.post(ring, 11);
            ring.publish();
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeOne(result);
        }
    }

    @JCStressTest
    @Description("A send that is written after its flag, which must be seen half or not at all.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(id = {"1, 0", "1, -1"}, expect = ACCEPTABLE_INTERESTING, desc = "valid before it was written")
    @Outcome(expect = FORBIDDEN, desc = "something else")
    @State
    public static class WeakenedSend {
        private final KernelFlags kernel = new KernelFlags();

        @Actor
        public void post() {
            kernel.publishThenWrite(11);
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeOne(result);
        }
    }

    @JCStressTest
    @Description("A batch of two, flagged from its end: the kernel, which takes them in order, sees none of it, or all.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "2, 11, 12", expect = ACCEPTABLE, desc = "both, whole")
    @Outcome(expect = FORBIDDEN, desc = "a part of the batch")
    @State
    public static class Batch {
        private final KernelFlags kernel = new KernelFlags();
        private final SiwSendRing ring = sends(kernel);

        @Actor
        public void post() {
            ring.begin();
            FlagsStress.post(ring, 11);
            FlagsStress.post(ring, 12);
            ring.publish();
        }

        @Actor
        public void take(III_Result result) {
            kernel.takeTwo(result);
        }
    }

    @JCStressTest
    @Description("A batch that is flagged from its start, which must be seen as parts.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "2, 11, 12", expect = ACCEPTABLE, desc = "both, whole")
    @Outcome(id = "1, 11, 0", expect = ACCEPTABLE_INTERESTING, desc = "a part of the batch")
    @Outcome(expect = FORBIDDEN, desc = "something else")
    @State
    public static class WeakenedBatch {
        private final KernelFlags kernel = new KernelFlags();
        private final SiwSendRing ring = sends(kernel);

        @Actor
        public void post() {
            ring.begin();
            FlagsStress.post(ring, 11);
            ring.publish();
            ring.begin();
            FlagsStress.post(ring, 12);
            ring.publish();
        }

        @Actor
        public void take(III_Result result) {
            kernel.takeTwo(result);
        }
    }

    @JCStressTest
    @Description("A completion: a poll sees none, or a whole one.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "none yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(expect = FORBIDDEN, desc = "of the slot's former life")
    @State
    public static class Poll {
        private final KernelFlags kernel = new KernelFlags();
        private final FlaggedCompletionRing ring = completions(kernel);
        private final Completion completion = new Completion();

        @Actor
        public void complete() {
            kernel.write(0, 11);
            kernel.complete(0);
        }

        @Actor
        public void poll(II_Result result) {
            if (ring.next(completion)) {
                result.r1 = 1;
                result.r2 = KernelFlags.number(completion);
            }
        }
    }

    @JCStressTest
    @Description("A completion whose flag the kernel sets first, which must be seen half or not at all.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "none yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(id = {"1, 0", "1, -1"}, expect = ACCEPTABLE_INTERESTING, desc = "of the slot's former life")
    @Outcome(expect = FORBIDDEN, desc = "something else")
    @State
    public static class WeakenedPoll {
        private final KernelFlags kernel = new KernelFlags();
        private final FlaggedCompletionRing ring = completions(kernel);
        private final Completion completion = new Completion();

        @Actor
        public void complete() {
            kernel.complete(0);
            kernel.write(0, 11);
        }

        @Actor
        public void poll(II_Result result) {
            if (ring.next(completion)) {
                result.r1 = 1;
                result.r2 = KernelFlags.number(completion);
            }
        }
    }

    @JCStressTest
    @Description("A thread arms the queue and looks once more, the kernel completes and looks whether it is armed: one of them sees"
            + " the other.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the thread would sleep over the completion")
    @Outcome(expect = ACCEPTABLE, desc = "seen")
    @State
    public static class Arm {
        private final KernelFlags kernel = new KernelFlags();
        private final FlaggedCompletionRing ring = completions(kernel);

        @Actor
        public void arm(II_Result result) {
            ring.arm();
            result.r1 = ring.begin();
        }

        @Actor
        public void complete(II_Result result) {
            kernel.complete(0);
            result.r2 = kernel.isArmed() ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("The same without the barrier behind the control word, which must be seen to sleep.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE_INTERESTING, desc = "the thread would sleep over the completion")
    @Outcome(expect = ACCEPTABLE, desc = "seen")
    @State
    public static class WeakenedArm {
        private final KernelFlags kernel = new KernelFlags();

        @Actor
        public void arm(II_Result result) {
            kernel.armWeakly();
            result.r1 = kernel.isCompleted(0) ? 1 : 0;
        }

        @Actor
        public void complete(II_Result result) {
            kernel.complete(0);
            result.r2 = kernel.isArmed() ? 1 : 0;
        }
    }
}
