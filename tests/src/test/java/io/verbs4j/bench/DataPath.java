// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenFile;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Measures the cost of the API between a program and the ring. Some benchmarks begin a batch, post, ring a doorbell
/// without effect, and simulate the kernel by one store to its index. The others simulate the kernel and poll. Names
/// and work are those of `tests/src/bench/c/ring.c`.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class DataPath {
    private static final VarHandle INDEX = JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final int BATCH = 16;
    private static final int MASK = NullDevice.SLOTS - 1;

    /// True if the queues may be shared by threads, which takes a lock, or not.
    @Param({"locked", "single"}) public String threads = "";

    private final NullDevice device = new NullDevice();
    private final Context context = OpenFile.asRxe(device);
    private final MemorySegment payload = MemorySegment.ofArray(new byte[48]);
    private final ScatterGatherList list = new ScatterGatherList();
    private final RemoteMemory remote = new RemoteMemory(1 << 20, 1 << 20, 7);
    private QueuePair connected;
    private QueuePair datagrams;
    private MemorySegment connectedSends = MemorySegment.NULL;
    private MemorySegment connectedReceives = MemorySegment.NULL;
    private MemorySegment datagramSends = MemorySegment.NULL;
    private CompletionQueue queue;
    private MemoryRegion memory;
    private AddressHandle handle;
    private long id;
    private long sum;
    private final CompletionHandler adding = completion -> sum += completion.workRequestId();

    /// Makes the queues.
    @Setup(Level.Trial)
    public void open() {
        boolean single = threads.equals("single");
        var options = CompletionQueueOptions.entries(MASK);
        var domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(single ? options.withSingleThread() : options);
        memory = domain.allocate(4096, Access.LOCAL_WRITE);
        var connection = domain.reliableConnection(queue);
        connected = (single ? connection.singleThreaded() : connection).create();
        connectedSends = device.sends;
        connectedReceives = device.receives;
        var datagram = domain.datagram(queue);
        datagrams = (single ? datagram.singleThreaded() : datagram).create();
        datagramSends = device.sends;
        var ready = QueuePairAttributes.builder().state(QueuePairState.RTS).build();
        connected.modify(ready);
        datagrams.modify(ready);
        handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 1)));
        list.clear();
        list.add(memory.address(), 64, memory.localKey()).add(memory.address() + 64, 64, memory.localKey());
    }

    /// Closes everything.
    @TearDown(Level.Trial)
    public void close() {
        context.close();
    }

    /// The kernel has done all that was posted.
    private static void consume(MemorySegment ring) {
        long at = ring.address() & ADDRESSES;
        INDEX.setRelease(ALL, at + NullDevice.CONSUMER_INDEX, (int) INDEX.get(ALL, at + NullDevice.PRODUCER_INDEX));
    }

    /// The kernel completes some.
    private void complete(int count) {
        long at = device.completions.address() & ADDRESSES;
        int index = (int) INDEX.get(ALL, at + NullDevice.CONSUMER_INDEX) + count & MASK;
        INDEX.setRelease(ALL, at + NullDevice.PRODUCER_INDEX, index);
    }

    @Benchmark
    public int postWrite() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).write().local(memory, id & 1023, 64).remote(remote, id & 1023).post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postSend() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).send().local(memory, id & 1023, 64).post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postRead() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).read().local(memory, id & 1023, 64).remote(remote, id & 1023).post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postWriteImmediate() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled()
                    .workRequestId(id++)
                    .write()
                    .immediate(7)
                    .local(memory, id & 1023, 64)
                    .remote(remote, id & 1023)
                    .post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postSendImmediate() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).send().immediate(7).local(memory, id & 1023, 64).post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postWriteOfTwoBuffers() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).write().local(list).remote(remote, id & 1023).post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postInline48() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).send().inline(payload).post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postAtomic() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled()
                    .workRequestId(id++)
                    .fetchAndAdd(id)
                    .local(memory, 8, Long.BYTES)
                    .remote(remote, (id & 127) << 3)
                    .post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postCompareAndSwap() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled()
                    .workRequestId(id++)
                    .compareAndSwap(id, 7)
                    .local(memory, 8, Long.BYTES)
                    .remote(remote, (id & 127) << 3)
                    .post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postInvalidate() {
        int count;
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).invalidate(7).post();
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int postDatagram() {
        int count;
        try (var batch = datagrams.beginSend()) {
            batch.signaled().workRequestId(id++).to(handle, 17, 5).send().local(memory, id & 1023, 64).post();
            count = batch.submit();
        }
        consume(datagramSends);
        return count;
    }

    @Benchmark
    public int postReceive() {
        int count;
        try (var batch = connected.beginReceive()) {
            batch.workRequestId(id++).receive(memory, id & 1023, 64);
            count = batch.submit();
        }
        consume(connectedReceives);
        return count;
    }

    @Benchmark
    public int postBatchOf16() {
        int count;
        try (var batch = connected.beginSend()) {
            for (int i = 0; i < BATCH; i++) {
                batch.signaled()
                        .workRequestId(id++)
                        .write()
                        .local(memory, id & 1023, 64)
                        .remote(remote, id & 1023)
                        .post();
            }
            count = batch.submit();
        }
        consume(connectedSends);
        return count;
    }

    @Benchmark
    public int pollEmpty() {
        return queue.poll(1, adding);
    }

    @Benchmark
    public int poll1() {
        complete(1);
        return queue.poll(1, adding);
    }

    @Benchmark
    public int poll16() {
        complete(BATCH);
        return queue.poll(BATCH, adding);
    }

    @Benchmark
    public long poll16ByCursor() {
        complete(BATCH);
        try (var batch = queue.beginPoll()) {
            while (batch.next()) {
                sum += batch.current().workRequestId();
            }
        }
        return sum;
    }

    @Benchmark
    public int postAndPoll() {
        postWrite();
        return poll1();
    }
}
