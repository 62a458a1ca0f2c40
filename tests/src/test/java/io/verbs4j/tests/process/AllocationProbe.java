// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import com.sun.management.ThreadMXBean;
import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Devices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tests.support.Probe;
import io.verbs4j.types.Access;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;

/// The program that [AllocationIT] starts: a queue pair connected with itself, and a count of the bytes that its thread
/// allocates.
final class AllocationProbe {
    private static final int BATCH = 100;
    private static final int BATCHES_OF_WRITES = 200;
    private static final int BATCHES_OF_MESSAGES = 100;
    private static final int BATCHES_OF_ROUND_TRIPS = 10;
    /// Bytes that a round trip of sockets may allocate on average: other threads of the JVM allocate now and then.
    private static final int LIMIT = 1;
    private static final int WARM_UP = 1_000;
    private static final int MAX_ATTEMPTS = 20;
    private static final int ATTEMPTS = 8;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final MemoryRegion memory;
    private final SendWorkRequest model;
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
        this.model = new SendWorkRequest()
                .write()
                .local(memory.slice(0, 8))
                .remote(memory.remote(), 64)
                .signaled();
    }

    /// @param arguments one, `credits` or `sockets`, for that case alone
    public static void main(String... arguments) throws IOException, InterruptedException, ExecutionException {
        if (arguments.length > 0) {
            if ("sockets".equals(arguments[0])) {
                sockets();
            } else {
                messagesWithCredits();
            }
            return;
        }
        try (
                var context = Devices.open("rxe0");
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(256);
                var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                var prepared = domain.reliableConnection(queue).prepare();
                var queuePair = prepared.connect(prepared.endpoint())) {
            var probe = new AllocationProbe(queuePair, queue, memory);
            Probe.ask("writes", () -> bytesOf(BATCHES_OF_WRITES, probe::writes));
            Probe.ask("writes like a value", () -> bytesOf(BATCHES_OF_MESSAGES, probe::writesLikeAValue));
            Probe.ask("messages", () -> bytesOf(BATCHES_OF_MESSAGES, probe::messages));
        }
    }

    private static void messagesWithCredits() {
        try (var context = Devices.open("rxe0")) {
            MessageRounds rounds = MessageRounds.open(context);
            Probe.ask("messages with credits", () -> bytesOf(BATCHES_OF_MESSAGES / 5, rounds::run));
            rounds.close();
        }
    }

    private static void sockets() throws IOException, InterruptedException, ExecutionException {
        try (var rounds = SocketRounds.open()) {
            Probe.ask("blocking sockets", () -> bytesOf(BATCHES_OF_ROUND_TRIPS, LIMIT, rounds::block));
            Probe.ask("sockets with a selector", () -> bytesOf(BATCHES_OF_ROUND_TRIPS, LIMIT, rounds::select));
        }
        try (var rounds = StreamRounds.open()) {
            Probe.ask("streams", () -> bytesOf(BATCHES_OF_ROUND_TRIPS, LIMIT, rounds::run));
        }
    }

    /// RDMA writes, and polling by callback.
    private void writes(int count) {
        try (var batch = queuePair.beginSend()) {
            for (int id = 0; id < count; id++) {
                batch.signaled().workRequestId(id).write().local(memory, 0, 8).remote(memory.remote(), 64).post();
            }
            batch.submit();
        }
        await(count);
    }

    private void writesLikeAValue(int count) {
        try (var batch = queuePair.beginSend()) {
            for (int id = 0; id < count; id++) {
                batch.like(model).workRequestId(id).post();
            }
            batch.submit();
        }
        await(count);
    }

    private void await(int count) {
        long all = completed + count;
        while (completed < all) {
            queue.poll(count, counting);
        }
    }

    /// Receives and sends, and polling by cursor.
    private void messages(int count) {
        try (var batch = queuePair.beginReceive()) {
            for (int id = 0; id < count; id++) {
                batch.workRequestId(id).receive(memory, 128, 8);
            }
            batch.submit();
        }
        try (var batch = queuePair.beginSend()) {
            for (int id = 0; id < count; id++) {
                batch.send().immediate(id).local(memory, 0, 8).post();
            }
            batch.submit();
        }
        int received = 0;
        while (received < count) {
            try (var batch = queue.beginPoll()) {
                while (batch.next()) {
                    if (batch.current().immediateData() != received++) {
                        throw new IllegalStateException(batch.current().toString());
                    }
                }
            }
        }
    }

    /// Returns the allocations of a warm program. The warm-up does not count: classes are loaded, call sites are
    /// linked, and the JDK allocates for each system call until the optimizing compiler has eliminated this. The
    /// compiler may also discard code and start again, so the best of a few attempts counts.
    private static String bytesOf(int batches, IntConsumer work) {
        return bytesOf(batches, 0, work);
    }

    /// @param allowed bytes that each round may allocate; the result counts only the bytes above this limit
    private static String bytesOf(int batches, int allowed, IntConsumer work) {
        long bytes = 1;
        for (int i = 0; i < MAX_ATTEMPTS && bytes > 0; i++) {
            bytes = allocated(WARM_UP, 1, work) - (long) allowed * WARM_UP;
        }
        int rounds = batches * BATCH;
        bytes = 1;
        for (int i = 0; i < ATTEMPTS && bytes > 0; i++) {
            bytes = allocated(batches, BATCH, work) - (long) allowed * rounds;
        }
        return Math.max(0, bytes) + " bytes in " + rounds + " rounds";
    }

    private static long allocated(int batches, int size, IntConsumer work) {
        long before = THREADS.getTotalThreadAllocatedBytes();
        for (int i = 0; i < batches; i++) {
            work.accept(size);
        }
        return THREADS.getTotalThreadAllocatedBytes() - before;
    }
}
