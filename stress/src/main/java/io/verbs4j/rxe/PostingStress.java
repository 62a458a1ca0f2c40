// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.StressContext;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.WorkRequestOpcode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// Posts of one thread by [ReceiveRing] or [SendRing], which a kernel thread takes. All kinds of posting share
/// [IndexedProducerRing], which has the ordering.
///
/// Beside each test stands one that is weakened by hand, and was seen to fail (docs/memory-model.md has the numbers).
public class PostingStress {
    private PostingStress() {}

    /// [WeakenedSingle] is seen to fail. A plain store instead of the release cannot: x86 does not reorder stores, and
    /// HotSpot keeps plain stores to one mapping in order; `OrderedAccessTest` sees it in the compiled class.
    @JCStressTest
    @Description("One element: the kernel sees none, or a whole one.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(expect = FORBIDDEN, desc = "published before it was written")
    @State
    public static class Single {
        private final StressRing kernel = StressRing.ofReceives(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 1, 11);
            ring.publish();
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeOne(result);
        }
    }

    @JCStressTest
    @Description("An element that is written after its index, which must be seen half or not at all.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "published before it was written")
    @Outcome(id = "1, -1", expect = ACCEPTABLE_INTERESTING, desc = "torn")
    @Outcome(expect = FORBIDDEN, desc = "something else")
    @State
    public static class WeakenedSingle {
        private final StressRing kernel = StressRing.ofReceives(0, 0);
        private final IndexedProducerRing ring = new IndexedProducerRing(kernel.memory, 0, "stress");

        @Actor
        public void post() {
            ring.claim();
            ring.posted();
            ring.publish();
            kernel.setElement(0, 11);
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeOne(result);
        }
    }

    /// [WeakenedSend] is seen to fail.
    @JCStressTest
    @Description("One element of a send ring: the kernel sees none, or a whole one.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(expect = FORBIDDEN, desc = "published before it was written")
    @State
    public static class Send {
        private static final RxeSendLimits LIMITS = new RxeSendLimits(QueuePairType.RC, 1, 0, 1024, 0, 0);

        private final StressRing kernel = StressRing.ofSends(0, 0);
        private final SendRing ring = new SendRing(kernel.memory, LIMITS, 1024, () -> 0);

        @Actor
        public void post() {
            ring.begin();
            ring.post(SendRequest.of(11, 0).operation(WorkRequestOpcode.SEND), 0, 1, 11);
            ring.publish();
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeOne(result);
        }
    }

    @JCStressTest
    @Description("An element of a send ring that is written after its index, which must be seen half or not at all.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "whole")
    @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "published before it was written")
    @Outcome(id = "1, -1", expect = ACCEPTABLE_INTERESTING, desc = "torn")
    @Outcome(expect = FORBIDDEN, desc = "something else")
    @State
    public static class WeakenedSend {
        private final StressRing kernel = StressRing.ofSends(0, 0);
        private final IndexedProducerRing ring = new IndexedProducerRing(kernel.memory, 0, "stress");

        @Actor
        public void post() {
            ring.claim();
            ring.posted();
            ring.publish();
            kernel.setElement(0, 11);
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeOne(result);
        }
    }

    /// [WeakenedBatch] is seen to fail.
    @JCStressTest
    @Description("A batch of two: the kernel sees none of it, or all.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "2, 11, 12", expect = ACCEPTABLE, desc = "both, whole")
    @Outcome(expect = FORBIDDEN, desc = "a part of the batch")
    @State
    public static class Batch {
        private final StressRing kernel = StressRing.ofReceives(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 1, 11);
            ring.receive(12, 0, 1, 12);
            ring.publish();
        }

        @Actor
        public void take(III_Result result) {
            kernel.takeTwo(result);
        }
    }

    @JCStressTest
    @Description("A batch that is published element by element, which must be seen as parts.")
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "2, 11, 12", expect = ACCEPTABLE, desc = "both, whole")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "a part of the batch")
    @State
    public static class WeakenedBatch {
        private final StressRing kernel = StressRing.ofReceives(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 1, 11);
            ring.publish();
            ring.receive(12, 0, 1, 12);
            ring.publish();
        }

        @Actor
        public void take(III_Result result) {
            kernel.takeTwo(result);
        }
    }

    /// [WeakenedReuse] is seen to fail. A plain load instead of the acquire cannot: x86 does not move stores before
    /// loads, and neither does HotSpot across the branch on the index; `OrderedAccessTest` sees it in the compiled
    /// class.
    @JCStressTest
    @Description("A full ring: the kernel reads two elements and gives their slots back; the slot of the first is the second to be"
            + " written again.")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "as they were posted")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before they were taken")
    @State
    public static class Reuse {
        private final StressRing kernel = StressRing.ofReceives(3, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        public Reuse() {
            kernel.setElement(0, 1);
            kernel.setElement(1, 2);
        }

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 1, 11);
            ring.receive(12, 0, 1, 12);
            ring.publish();
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeAndGiveBack(result);
        }
    }

    @JCStressTest
    @Description("A ring that believes its slots free without a look at the kernel's index, which must be seen to go wrong.")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "as they were posted")
    @Outcome(id = {"12, 2", "-1, 2"}, expect = ACCEPTABLE_INTERESTING, desc = "overwritten before they were taken")
    @Outcome(expect = FORBIDDEN, desc = "something else")
    @State
    public static class WeakenedReuse {
        private final StressRing kernel = StressRing.ofReceives(3, 2);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        /// The ring was made when the kernel seemed to have taken two.
        public WeakenedReuse() {
            kernel.consumed(0);
            kernel.setElement(0, 1);
            kernel.setElement(1, 2);
        }

        @Actor
        public void post() {
            ring.begin();
            ring.receive(11, 0, 1, 11);
            ring.receive(12, 0, 1, 12);
            ring.publish();
        }

        @Actor
        public void take(II_Result result) {
            kernel.takeAndGiveBack(result);
        }
    }

    /// With the lock of [SharedReceiveQueue]. [WeakenedLocked] is seen to fail.
    @JCStressTest
    @Description("One thread posts an element and another one a batch, under a lock: nothing is lost, whoever comes first.")
    @Outcome(id = {"3, 11, 12, 13", "3, 12, 13, 11"}, expect = ACCEPTABLE, desc = "all")
    @Outcome(expect = FORBIDDEN, desc = "lost or doubled")
    @State
    public static class Locked {
        private final StressRing kernel = StressRing.ofReceives(0, 0);
        private final SharedReceiveQueue queue =
                StressContext.receiveQueue(new ReceiveRing(kernel.memory, 1, "stress"));

        @Actor
        public void one() {
            try (var batch = queue.beginReceive()) {
                batch.workRequestId(11).post(0, 1, 11);
                batch.submit();
            }
        }

        @Actor
        public void other() {
            try (var batch = queue.beginReceive()) {
                batch.workRequestId(12).post(0, 1, 12);
                batch.workRequestId(13).post(0, 1, 13);
                batch.submit();
            }
        }

        @Arbiter
        public void end(IIII_Result result) {
            kernel.report(result);
        }
    }

    @JCStressTest
    @Description("The same without the lock, which must be seen to go wrong.")
    @Outcome(id = {"3, 11, 12, 13", "3, 12, 13, 11"}, expect = ACCEPTABLE, desc = "all")
    @Outcome(expect = ACCEPTABLE_INTERESTING, desc = "lost or doubled")
    @State
    public static class WeakenedLocked {
        private final StressRing kernel = StressRing.ofReceives(0, 0);
        private final ReceiveRing ring = new ReceiveRing(kernel.memory, 1, "stress");

        @Actor
        public void one() {
            ring.begin();
            ring.receive(11, 0, 1, 11);
            ring.publish();
        }

        @Actor
        public void other() {
            ring.begin();
            ring.receive(12, 0, 1, 12);
            ring.receive(13, 0, 1, 13);
            ring.publish();
        }

        @Arbiter
        public void end(IIII_Result result) {
            kernel.report(result);
        }
    }
}
