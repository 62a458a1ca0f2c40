// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.OpenFile;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.async.AsyncQueuePair;
import io.verbs4j.async.Dispatcher;
import io.verbs4j.async.Lease;
import io.verbs4j.async.SlabPool;
import io.verbs4j.async.WorkScope;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Measures the cost of a write and its completion through a scope and a dispatcher, in addition to the API alone.
/// Stores to indices simulate the kernel, as in [DataPath].
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class AsyncPath {
    private static final VarHandle INDEX = JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final VarHandle ID = JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final int MASK = NullDevice.SLOTS - 1;

    private final NullDevice device = new NullDevice();
    private final Context context = OpenFile.asRxe(device);
    private final RemoteMemory remote = new RemoteMemory(1 << 20, 1 << 20, 7);
    private CompletionQueue queue;
    private QueuePair queuePair;
    private SlabPool pool;
    private Lease lease;
    private final SendWorkRequest write = new SendWorkRequest().write().remote(remote);
    private Dispatcher dispatcher;
    private WorkScope scope;
    private long completed;
    private final CompletionHandler counting = completion -> completed += completion.statusCode() + 1;

    /// Makes the queues.
    @Setup(Level.Trial)
    public void open() throws InterruptedException {
        var domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(MASK);
        queuePair = domain.reliableConnection(queue).create();
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
        pool = SlabPool.allocate(domain, 16, 4096, Access.LOCAL_WRITE);
        lease = pool.lease();
        dispatcher = Dispatcher.of(queue, 64);
        scope = AsyncQueuePair.of(dispatcher, queuePair).open();
    }

    /// Closes everything.
    @TearDown(Level.Trial)
    public void close() {
        context.close();
    }

    /// The kernel has done what was posted, and completes it.
    private void complete() {
        long sends = device.sends.address() & ADDRESSES;
        int producer = (int) INDEX.get(ALL, sends + NullDevice.PRODUCER_INDEX);
        long posted = sends + NullDevice.ELEMENTS + ((long) (producer - 1 & MASK) << NullDevice.SEND_SHIFT);
        long id = (long) ID.get(ALL, posted & ADDRESSES); // wr_id is the first field here, and of a completion
        INDEX.setRelease(ALL, sends + NullDevice.CONSUMER_INDEX, producer);
        long completions = device.completions.address() & ADDRESSES;
        int at = (int) INDEX.get(ALL, completions + NullDevice.PRODUCER_INDEX);
        long done = completions + NullDevice.ELEMENTS + ((long) at << NullDevice.COMPLETION_SHIFT);
        ID.set(ALL, done & ADDRESSES, id);
        INDEX.setRelease(ALL, completions + NullDevice.PRODUCER_INDEX, at + 1 & MASK);
    }

    /// By the API alone.
    @Benchmark
    public long raw() {
        try (var batch = queuePair.beginSend()) {
            batch.signaled().workRequestId(1).write().local(lease.region(), lease.offset(), 64).remote(remote).post();
            batch.submit();
        }
        complete();
        queue.poll(1, counting);
        return completed;
    }

    /// Through a scope, with a handler.
    @Benchmark
    public long handler() {
        scope.post(write, lease, 64, counting);
        complete();
        dispatcher.poll();
        return completed;
    }

    /// Through a scope, with a lease of its own and a handler.
    @Benchmark
    public long leaseAndHandler() throws InterruptedException {
        try (Lease own = pool.lease()) {
            scope.post(write, own, 64, counting);
        }
        complete();
        dispatcher.poll();
        return completed;
    }

    /// Through a scope, with a future.
    @Benchmark
    public Object future() {
        var future = scope.post(write, lease, 64);
        complete();
        dispatcher.poll();
        return future.join();
    }
}
