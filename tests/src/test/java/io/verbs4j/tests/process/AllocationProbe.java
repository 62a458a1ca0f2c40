// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import com.sun.management.ThreadMXBean;
import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Devices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.Probe;
import io.verbs4j.types.Access;
import java.lang.management.ManagementFactory;

/// What [AllocationIT] starts: a queue pair that speaks with itself, and a count of the bytes that its thread allocates.
final class AllocationProbe {
    private static final int BATCH = 10;
    private static final int BATCHES_TO_WARM_UP = 500;
    private static final int BATCHES_OF_WRITES = 10_000;
    private static final int BATCHES_OF_MESSAGES = 2_000;
    private static final int PATIENCE = 40;
    private static final int ATTEMPTS = 3;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final MemoryRegion memory;
    private long completed;
    private final CompletionHandler counting = completion -> {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString());
        }
        completed++;
    };

    private AllocationProbe(QueuePair queuePair, CompletionQueue queue, MemoryRegion memory) {
        this.queuePair = queuePair;
        this.queue = queue;
        this.memory = memory;
    }

    public static void main(String... arguments) {
        try (
                var context = Devices.open("rxe0");
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(64);
                var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                var prepared = domain.reliableConnection(queue).prepare();
                var queuePair = prepared.connect(prepared.endpoint())) {
            var probe = new AllocationProbe(queuePair, queue, memory);
            Probe.ask("writes", () -> bytesOf(BATCHES_OF_WRITES, probe::writes));
            Probe.ask("messages", () -> bytesOf(BATCHES_OF_MESSAGES, probe::messages));
        }
    }

    /// RDMA writes, and polling by callback.
    private void writes() {
        try (var batch = queuePair.beginSend()) {
            for (int id = 0; id < BATCH; id++) {
                batch.signaled().workRequestId(id).rdmaWrite(memory, 0, 8, memory.remote(), 64);
            }
            batch.submit();
        }
        long all = completed + BATCH;
        while (completed < all) {
            queue.poll(BATCH, counting);
        }
    }

    /// Receives and sends, and polling by cursor.
    private void messages() {
        try (var batch = queuePair.beginReceive()) {
            for (int id = 0; id < BATCH; id++) {
                batch.workRequestId(id).receive(memory, 128, 8);
            }
            batch.submit();
        }
        try (var batch = queuePair.beginSend()) {
            for (int id = 0; id < BATCH; id++) {
                batch.sendWithImmediate(id, memory, 0, 8);
            }
            batch.submit();
        }
        int received = 0;
        while (received < BATCH) {
            try (var batch = queue.beginPoll()) {
                while (batch.next()) {
                    if (batch.current().immediateData() != received++) {
                        throw new IllegalStateException(batch.current().toString());
                    }
                }
            }
        }
    }

    /// What a warm program allocates. The beginning does not count, as long as it lasts: classes are loaded there, call sites are
    /// linked, and the JDK allocates for each system call until the optimizing compiler has seen through it. The compiler may
    /// also throw its work away and start again, so that the best of a few attempts counts.
    private static String bytesOf(int times, Runnable work) {
        long bytes = 1;
        for (int i = 0; i < PATIENCE && bytes > 0; i++) {
            bytes = allocated(BATCHES_TO_WARM_UP, work);
        }
        bytes = 1;
        for (int i = 0; i < ATTEMPTS && bytes > 0; i++) {
            bytes = allocated(times, work);
        }
        return bytes + " bytes in " + times * BATCH + " rounds";
    }

    private static long allocated(int times, Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            work.run();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
