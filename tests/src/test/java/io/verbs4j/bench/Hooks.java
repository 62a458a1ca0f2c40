// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenFile;
import io.verbs4j.QueuePair;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.management.Management;
import io.verbs4j.rxe.RxeProviderFactory;
import io.verbs4j.tracing.Tracing;
import io.verbs4j.types.Access;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
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

/// Measures the cost of tracing, management and flight recording, on and off: a post with its poll, and a kernel call,
/// over a device without effect. Each configuration runs in a separate JVM.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class Hooks {
    private static final VarHandle INDEX = JAVA_INT.varHandle().withInvokeExactBehavior();

    /// The part that is on.
    public enum On {
        /// Nothing.
        NOTHING,
        /// The management interface, with nobody who watches.
        MANAGEMENT,
        /// A flight recording that none of our events is part of.
        FOREIGN_RECORDING,
        /// A flight recording of doorbells, completions and verbs.
        RECORDING,
        /// A trace of system calls.
        TRACE,
        /// A trace of the data path as well.
        TRACE_DATA_PATH
    }

    /// The part that is on.
    @Param public On on = On.NOTHING;

    private final NullDevice device = new NullDevice();
    private Context context;
    private Recording recording;
    private Tracing.Session trace;
    private QueuePair connected;
    private CompletionQueue queue;
    private MemoryRegion memory;
    private long id;
    private long sum;
    private final CompletionHandler adding = completion -> sum += completion.workRequestId();

    /// Switches it on, and makes the queues.
    @Setup(Level.Trial)
    public void open() {
        switch (on) {
            case MANAGEMENT -> Management.start();
            case FOREIGN_RECORDING, RECORDING -> {
                recording = new Recording();
                recording.setMaxSize(8 << 20);
                if (on == On.RECORDING) {
                    recording.enable("io.verbs4j.Verb");
                    recording.enable("io.verbs4j.Doorbell");
                    recording.enable("io.verbs4j.Completions");
                }
                recording.start();
            }
            case TRACE, TRACE_DATA_PATH ->
                trace = Tracing.start(entry -> sum += entry.number(), on == On.TRACE_DATA_PATH);
            case NOTHING -> {}
        }
        DeviceFile file = Tracing.wrap(device, "none", new RxeProviderFactory().abi());
        context = OpenFile.asRxe(file);
        var domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(NullDevice.SLOTS - 1);
        memory = domain.allocate(4096, Access.LOCAL_WRITE);
        connected = domain.reliableConnection(queue).create();
        connected.modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
    }

    /// Closes everything.
    @TearDown(Level.Trial)
    public void close() {
        context.close();
        if (recording != null) {
            recording.close();
        }
        if (trace != null) {
            trace.close();
        }
        Management.stop();
    }

    @Benchmark
    public int postAndPoll() {
        try (var batch = connected.beginSend()) {
            batch.signaled().workRequestId(id++).send().local(memory, id & 1023, 64).post();
            batch.submit();
        }
        MemorySegment sends = device.sends;
        INDEX.setRelease(sends, NullDevice.CONSUMER_INDEX, (int) INDEX.get(sends, NullDevice.PRODUCER_INDEX));
        MemorySegment done = device.completions;
        int index = (int) INDEX.get(done, NullDevice.CONSUMER_INDEX) + 1 & NullDevice.SLOTS - 1;
        INDEX.setRelease(done, NullDevice.PRODUCER_INDEX, index);
        return queue.poll(1, adding);
    }

    @Benchmark
    public PortAttributes queryPort() {
        return context.port(1);
    }
}
