// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;

/// RDMA writes and reads of changing data from a queue pair to itself, while the process starts children one after
/// another. The processor writes the memory, the device reads and writes it, and the processor reads it. A page that
/// process and device no longer share is detected at once. Needs only the library.
final class ChildrenUnderTraffic {
    private static final int BYTES = 64 * 1024;
    private static final long LIMIT_NANOS = 20_000_000_000L;

    private ChildrenUnderTraffic() {}

    /// The outcome.
    ///
    /// @param children number of children that ran
    /// @param roundsInThatTime rounds of traffic meanwhile
    /// @param roundsAfter rounds of traffic after all children had ended
    record Outcome(int children, int roundsInThatTime, int roundsAfter) {}

    /// Runs the traffic until `children` have run, and for a while afterwards.
    ///
    /// @throws IllegalStateException if data did not arrive, or arrived corrupted
    static Outcome run(Context context, int children) throws Exception {
        try (
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(16);
                var memory = domain.allocate(3 * BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
                var prepared = domain.reliableConnection(queue).prepare();
                var queuePair = prepared.connect(prepared.endpoint())) {
            var ended = new AtomicBoolean();
            var failure = new Exception[1];
            var starter = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < children; i++) {
                        startAndAwait();
                    }
                } catch (IOException | InterruptedException | RuntimeException e) {
                    failure[0] = e;
                } finally {
                    ended.set(true);
                }
            });
            int round = 0;
            while (!ended.get()) {
                exchange(queuePair, queue, memory, ++round);
            }
            starter.join();
            if (failure[0] != null) {
                throw failure[0];
            }
            int during = round;
            for (int i = 0; i < 20; i++) {
                exchange(queuePair, queue, memory, ++round);
            }
            return new Outcome(children, during, round - during);
        }
    }

    private static void startAndAwait() throws IOException, InterruptedException {
        int code = new ProcessBuilder("/bin/true").start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("a child ended with " + code);
        }
    }

    /// The first third is written to the second by the device, and read from there into the last.
    private static void exchange(QueuePair queuePair, CompletionQueue queue, MemoryRegion memory, int round) {
        var segment = memory.segment();
        for (long i = 0; i < BYTES; i += Long.BYTES) {
            segment.set(ValueLayout.JAVA_LONG, i, round * 0x9e37_79b9_7f4a_7c15L + i);
        }
        try (var batch = queuePair.beginSend()) {
            batch.write().local(memory.slice(0, BYTES)).remote(memory.remote().slice(BYTES, BYTES)).post();
            batch.signaled()
                    .read()
                    .local(memory.slice(2L * BYTES, BYTES))
                    .remote(memory.remote().slice(BYTES, BYTES))
                    .post();
            batch.submit();
        }
        await(queue);
        for (int third = 1; third <= 2; third++) {
            long differs = segment.asSlice((long) third * BYTES, BYTES).mismatch(segment.asSlice(0, BYTES));
            if (differs >= 0) {
                throw new IllegalStateException(
                        "round " + round + ": part " + third + " differs from byte " + differs + " on");
            }
        }
    }

    private static void await(CompletionQueue queue) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        var status = new CompletionStatus[1];
        while (queue.poll(1, completion -> status[0] = completion.status()) == 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no completion came");
            }
            Thread.yield();
        }
        if (!CompletionStatus.SUCCESS.equals(status[0])) {
            throw new IllegalStateException("completed with " + status[0]);
        }
    }
}
