// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import com.sun.management.ThreadMXBean;
import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.types.Access;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/// A process that measures one driver's data path through the API, so that the compiler sees only one provider. For
/// each line of standard input it measures a slice of each operation, and prints `name nanoseconds bytes-allocated` for
/// each, followed by an empty line. Times are processor time of the thread.
///
/// Arguments: `rxe`, `siw` or `mlx5`, and the length of a slice in milliseconds.
final class DriverPath {
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long WARM_UP_NANOS = 1_500_000_000;
    private static final int CHUNK = 2_000;
    private static final int BATCH = 16;

    private final PlayedRings rings;
    private final Map<String, IntConsumer> work = new LinkedHashMap<>();
    private final QueuePair sender;
    private final CompletionQueue queue;
    private final MemoryRegion memory;
    private final RemoteMemory remote = new RemoteMemory(1 << 20, 1 << 20, 7);
    private long id;
    private long sum;
    private final CompletionHandler adding = completion -> sum += completion.workRequestId();

    private DriverPath(PlayedRings rings, Context context) {
        this.rings = rings;
        var domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(CompletionQueueOptions.entries(NullDevice.SLOTS - 1));
        memory = domain.allocate(4096, Access.LOCAL_WRITE);
        sender = domain.reliableConnection(queue).maxSends(64).create();
        rings.start(sender);
    }

    public static void main(String... arguments) throws IOException {
        PlayedRings rings = switch (arguments[0]) {
            case "rxe" -> new RxeRings();
            case "siw" -> new SiwRings();
            case "mlx5" -> new Mlx5Rings();
            default -> throw new IllegalArgumentException("driver=" + arguments[0]);
        };
        try (Context context = rings.open()) {
            new DriverPath(rings, context).serve(Long.parseLong(arguments[1]) * 1_000_000);
        }
    }

    // A loop of its own for each, so that the compiler treats each as it would in a program that does nothing else.
    private void serve(long slice) throws IOException {
        work.put("postAndPoll", n -> {
            for (int i = 0; i < n; i++) {
                postAndPoll();
            }
        });
        work.put("postAndPoll16", n -> {
            for (int i = 0; i < n; i++) {
                postAndPoll16();
            }
        });
        work.put("pollEmpty", n -> {
            for (int i = 0; i < n; i++) {
                queue.poll(1, adding);
            }
        });
        work.values().forEach(loop -> measure(loop, WARM_UP_NANOS));
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        while (lines.readLine() != null) {
            work.forEach((name, loop) -> {
                measure(loop, slice / 4);
                long before = THREAD.getCurrentThreadAllocatedBytes();
                double[] result = measure(loop, slice);
                double bytes = (THREAD.getCurrentThreadAllocatedBytes() - before) / result[1];
                System.out.println(name + " " + result[0] + " " + bytes);
            });
            System.out.println();
            System.out.flush();
        }
        if (sum == 1) {
            System.out.println("never");
        }
    }

    /// Nanoseconds of an operation, and how many were done.
    private static double[] measure(IntConsumer loop, long nanos) {
        long done = 0;
        long start = THREAD.getCurrentThreadCpuTime();
        long end;
        do {
            loop.accept(CHUNK);
            done += CHUNK;
            end = THREAD.getCurrentThreadCpuTime();
        } while (end - start < nanos);
        return new double[]{(double) (end - start) / done, done};
    }

    private void postAndPoll() {
        try (var batch = sender.beginSend()) {
            batch.signaled().workRequestId(id++).write().local(memory, id & 1023, 64).remote(remote, id & 1023).post();
            batch.submit();
        }
        rings.take(1);
        rings.complete(1);
        requireAll(queue.poll(1, adding), 1);
    }

    private void postAndPoll16() {
        try (var batch = sender.beginSend()) {
            for (int i = 0; i < BATCH; i++) {
                batch.signaled()
                        .workRequestId(id++)
                        .write()
                        .local(memory, id & 1023, 64)
                        .remote(remote, id & 1023)
                        .post();
            }
            requireAll(batch.submit(), BATCH);
        }
        rings.take(BATCH);
        rings.complete(BATCH);
        requireAll(queue.poll(BATCH, adding), BATCH);
    }

    private static void requireAll(int count, int expected) {
        if (count != expected) {
            throw new IllegalStateException(count + " instead of " + expected);
        }
    }
}
