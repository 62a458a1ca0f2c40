// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/// Measures the cost of objects by their number. `growth.c` measures the same over libibverbs. Prints a line
/// `kind,count,create,destroy,bytes,use`: nanoseconds per object for creation and destruction, bytes of process and
/// heap per object, and nanoseconds per use.
///
/// Arguments: `DEVICE KIND:COUNT…`.
final class Growth {
    private static final int BATCH = 16;
    private static final int PAGE = 4096;
    private static final int WINDOW = 64;
    private static final int MESSAGES = 20000;

    private final Context context;
    private final ProtectionDomain domain;
    private final MemorySegment memory;
    private final MemoryRegion region;

    private Growth(Context context, Arena arena) {
        this.context = context;
        domain = context.allocateProtectionDomain();
        memory = arena.allocate(PAGE, PAGE);
        region = domain.register(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    static void main(String[] arguments) throws Exception {
        try (
                Arena arena = Arena.ofShared();
                Context context = Devices.open(arguments[0])) {
            var growth = new Growth(context, arena);
            for (int i = 1; i < arguments.length; i++) {
                String[] parts = arguments[i].split(":");
                int count = Integer.parseInt(parts[1]);
                switch (parts[0]) {
                    case "queue-pairs" -> growth.queuePairs(count);
                    case "regions" -> growth.regions(count);
                    case "connections" -> growth.connections(count);
                    case "threads" -> growth.threads(count);
                    default -> throw new IllegalArgumentException(arguments[i]);
                }
            }
        }
    }

    /// Returns the resident bytes of this process outside the heap, which is committed at the start, plus the used
    /// bytes of the heap.
    private static long resident() throws IOException {
        System.gc();
        String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
        return Long.parseLong(pages[1]) * PAGE
                + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void print(String kind, int count, long create, long destroy, long bytes, double use) {
        System.out.printf(Locale.ROOT, "%s,%d,%d,%d,%d,%.1f%n", kind, count, create / count, destroy / count,
                bytes / count, use);
    }

    private static void post(QueuePair pair, MemoryRegion region) {
        try (var batch = pair.beginSend()) {
            batch.signaled().write().local(region.slice(0, 8)).remote(region.remote().slice(64, 8)).post();
            batch.submit();
        }
    }

    private static int poll(CompletionQueue queue, CompletionStatus status) {
        return queue.poll(BATCH, completion -> {
            if (completion.status() != status) {
                throw new IllegalStateException(completion.toString());
            }
        });
    }

    /// Queue pairs on one completion queue. Use: a poll's time for each completion, when every queue pair has one
    /// there.
    private void queuePairs(int count) throws Exception {
        CompletionQueue queue = context.createCompletionQueue(count + BATCH);
        List<QueuePair> pairs = new ArrayList<>(count);
        long before = resident();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            pairs.add(domain.reliableConnection(queue).maxSends(1).maxReceives(1).create());
        }
        long create = System.nanoTime() - start;
        long bytes = resident() - before;
        var init = QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(Access.REMOTE_WRITE.value())
                .build();
        var error = QueuePairAttributes.builder().state(QueuePairState.ERR).build();
        for (QueuePair pair : pairs) {
            pair.modify(init);
            pair.modify(error);
            post(pair, region);
        }
        TimeUnit.MILLISECONDS.sleep(300);
        long polled = 0;
        for (int done = 0; done < count;) {
            long poll = System.nanoTime();
            int got = poll(queue, CompletionStatus.WORK_REQUEST_FLUSHED);
            if (got > 0) {
                polled += System.nanoTime() - poll;
            }
            done += got;
        }
        start = System.nanoTime();
        pairs.forEach(QueuePair::close);
        print("queue-pairs", count, create, System.nanoTime() - start, bytes, (double) polled / count);
        queue.close();
    }

    /// Regions of one page, the same for all. Use: none.
    private void regions(int count) throws IOException {
        List<MemoryRegion> all = new ArrayList<>(count);
        long before = resident();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            all.add(domain.register(memory, Access.LOCAL_WRITE));
        }
        long create = System.nanoTime() - start;
        long bytes = resident() - before;
        start = System.nanoTime();
        all.forEach(MemoryRegion::close);
        print("regions", count, create, System.nanoTime() - start, bytes, 0);
    }

    private QueuePair connected(CompletionQueue queue) {
        var prepared = domain.reliableConnection(queue)
                .maxSends(BATCH)
                .maxReceives(1)
                .pathMtu(Mtu.MTU_1024)
                .access(Access.REMOTE_WRITE)
                .prepare();
        return prepared.connect(prepared.endpoint());
    }

    /// Writes `messages` times by turns over some queue pairs, a window of them under way.
    private long exchange(List<QueuePair> pairs, CompletionQueue queue, int messages) {
        long start = System.nanoTime();
        int window = Math.min(pairs.size(), WINDOW);
        for (int posted = 0, done = 0; done < messages;) {
            for (; posted < messages && posted - done < window; posted++) {
                post(pairs.get(posted % pairs.size()), region);
            }
            int got = poll(queue, CompletionStatus.SUCCESS);
            done += got;
            if (got == 0) {
                Thread.yield();
            }
        }
        return System.nanoTime() - start;
    }

    /// Connections, each a queue pair connected to itself. Use: a write's time, by turns over all.
    private void connections(int count) throws IOException {
        CompletionQueue queue = context.createCompletionQueue(2 * WINDOW);
        List<QueuePair> pairs = new ArrayList<>(count);
        long before = resident();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            pairs.add(connected(queue));
        }
        long create = System.nanoTime() - start;
        long bytes = resident() - before;
        int messages = Math.max(count, MESSAGES);
        double use = (double) exchange(pairs, queue, messages) / messages;
        start = System.nanoTime();
        pairs.forEach(QueuePair::close);
        print("connections", count, create, System.nanoTime() - start, bytes, use);
        queue.close();
    }

    /// Threads, each with queue pairs and a completion queue of its own. Use: a write's time, of all threads together.
    private void threads(int count) throws Exception {
        int each = MESSAGES / count;
        var together = new CyclicBarrier(count + 1);
        List<Thread> all = new ArrayList<>();
        long before = resident();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            all.add(Thread.ofPlatform().start(() -> work(each, together)));
        }
        together.await();
        long created = System.nanoTime();
        long bytes = resident() - before;
        long begun = System.nanoTime();
        together.await();
        together.await();
        long used = System.nanoTime();
        for (Thread thread : all) {
            thread.join();
        }
        print("threads", count, created - start, System.nanoTime() - used, bytes,
                (double) (used - begun) / (each * count));
    }

    private void work(int each, CyclicBarrier together) {
        try {
            CompletionQueue queue = context.createCompletionQueue(WINDOW);
            List<QueuePair> pairs = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                pairs.add(connected(queue));
            }
            together.await();
            together.await(); // the collector has done its work
            exchange(pairs, queue, each);
            together.await();
            pairs.forEach(QueuePair::close);
            queue.close();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
