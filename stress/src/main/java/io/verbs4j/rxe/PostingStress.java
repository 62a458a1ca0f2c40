// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// What one thread posts by [ReceiveRing], whose elements begin as those of all rings do, and a kernel thread takes. All kinds
/// of posting share [ProducerRing], which has the ordering.
public class PostingStress {
    private PostingStress() {}

    @JCStressTest
    @Description("One element: the kernel sees none, or a whole one.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(expect = FORBIDDEN, desc = "published before it was written")
    @State
    public static class Single {
        private final StressRing kernel = new StressRing(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 0, 0);
            ring.publish();
        }

        @Actor
        public void take(II_Result result) {
            result.r1 = kernel.producer();
            result.r2 = result.r1 == 0 ? 0 : (int) kernel.id(0);
        }
    }

    @JCStressTest
    @Description("A batch of two: the kernel sees none of it, or all.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "2, 11, 12", expect = ACCEPTABLE, desc = "both, whole")
    @Outcome(expect = FORBIDDEN, desc = "a part of the batch")
    @State
    public static class Batch {
        private final StressRing kernel = new StressRing(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 0, 0);
            ring.receive(12, 0, 0, 0);
            ring.publish();
        }

        @Actor
        public void take(III_Result result) {
            result.r1 = kernel.producer();
            if (result.r1 != 0) {
                result.r2 = (int) kernel.id(0);
                result.r3 = (int) kernel.id(1);
            }
        }
    }

    @JCStressTest
    @Description("A full ring: the kernel reads two elements and gives their slots back; the slot of the first is the second to be"
            + " written again.")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "as they were posted")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before they were taken")
    @State
    public static class Reuse {
        private final StressRing kernel = new StressRing(3, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        public Reuse() {
            kernel.setId(0, 1);
            kernel.setId(1, 2);
        }

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 0, 0);
            ring.receive(12, 0, 0, 0);
            ring.publish();
        }

        @Actor
        public void take(II_Result result) {
            result.r1 = (int) kernel.id(0);
            result.r2 = (int) kernel.id(1);
            kernel.consumed(2);
        }
    }

    @JCStressTest
    @Description("Two threads post under a lock: nothing is lost, whoever comes first.")
    @Outcome(id = {"2, 11, 12", "2, 12, 11"}, expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "lost or doubled")
    @State
    public static class Locked {
        private final StressRing kernel = new StressRing(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");
        private final ReentrantLock lock = new ReentrantLock();

        @Actor
        public void one() {
            post(11);
        }

        @Actor
        public void other() {
            post(12);
        }

        private void post(int id) {
            lock.lock();
            try {
                ring.begin();
                ring.receive(id, 0, 0, 0);
                ring.publish();
            } finally {
                lock.unlock();
            }
        }

        @Arbiter
        public void end(III_Result result) {
            result.r1 = kernel.producer();
            result.r2 = (int) kernel.id(0);
            result.r3 = (int) kernel.id(1);
        }
    }

    @JCStressTest
    @Description("The same without the lock, which must be seen to go wrong.")
    @Outcome(id = {"2, 11, 12", "2, 12, 11"}, expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "lost or doubled")
    @State
    public static class WeakenedLocked {
        private final StressRing kernel = new StressRing(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void one() {
            post(11);
        }

        @Actor
        public void other() {
            post(12);
        }

        private void post(int id) {
            ring.begin();
            ring.receive(id, 0, 0, 0);
            ring.publish();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r1 = kernel.producer();
            result.r2 = (int) kernel.id(0);
            result.r3 = (int) kernel.id(1);
        }
    }

    @JCStressTest
    @Description("A batch that is published element by element, which must be seen as parts.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "2, 11, 12", expect = ACCEPTABLE, desc = "both, whole")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "a part of the batch")
    @State
    public static class WeakenedBatch {
        private final StressRing kernel = new StressRing(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 0, 0);
            ring.publish();
            ring.receive(12, 0, 0, 0);
            ring.publish();
        }

        @Actor
        public void take(III_Result result) {
            result.r1 = kernel.producer();
            if (result.r1 != 0) {
                result.r2 = (int) kernel.id(0);
                result.r3 = (int) kernel.id(1);
            }
        }
    }
}
