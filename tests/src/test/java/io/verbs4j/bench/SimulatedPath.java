// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Measures messages between two simulated devices: through the public API, the provider, and the simulated kernel with
/// its rxe and its wire.
@State(Scope.Benchmark)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class SimulatedPath {
    private static final int BATCH = 16;
    private static final int LENGTH = 64;
    private static final int ROOM = 4 * BATCH;

    private static final class End implements AutoCloseable {
        private final Context context;
        private final CompletionQueue sends;
        private final CompletionQueue receives;
        private final MemoryRegion memory;
        private final QueuePairBuilder builder;
        private long failed;
        private final CompletionHandler counting = completion -> failed += completion.isSuccess() ? 0 : 1;
        QueuePair queuePair;

        End(Context context) {
            this.context = context;
            sends = context.createCompletionQueue(ROOM);
            receives = context.createCompletionQueue(ROOM);
            var domain = context.allocateProtectionDomain();
            memory = domain.allocate(2 * LENGTH, Access.LOCAL_WRITE);
            builder = domain.reliableConnection(sends)
                    .receiveCompletionQueue(receives)
                    .maxSends(ROOM)
                    .maxReceives(ROOM);
        }

        void send(int count) {
            try (var batch = queuePair.beginSend()) {
                for (int i = 0; i < count; i++) {
                    batch.signaled().send().local(memory, 0, LENGTH).post();
                }
                batch.submit();
            }
        }

        void receive(int count) {
            try (var batch = queuePair.beginReceive()) {
                for (int i = 0; i < count; i++) {
                    batch.receive(memory, LENGTH, LENGTH);
                }
                batch.submit();
            }
        }

        int takeSends() {
            return sends.poll(BATCH, counting);
        }

        int takeReceives() {
            return receives.poll(BATCH, counting);
        }

        @Override
        public void close() {
            context.close();
            if (failed > 0) {
                throw new IllegalStateException(failed + " work requests failed");
            }
        }
    }

    /// A thread at the other end, which sends back what it gets.
    @State(Scope.Benchmark)
    public static class Echo {
        private volatile boolean ended;
        private Thread thread;

        /// Starts it.
        @Setup(Level.Trial)
        public void start(SimulatedPath path) {
            path.left.receive(BATCH);
            path.right.receive(BATCH);
            thread = Thread.ofPlatform().daemon().start(() -> echo(path.right));
        }

        private void echo(End end) {
            while (!ended) {
                if (end.takeReceives() > 0) {
                    end.receive(1);
                    end.send(1);
                    end.takeSends();
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        /// Ends it.
        @TearDown(Level.Trial)
        public void end() throws InterruptedException {
            ended = true;
            thread.join();
        }
    }

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime(1);
    private End left;
    private End right;

    /// Connects the two ends.
    @Setup(Level.Trial)
    public void open() {
        var host = network.addHost("bench", KernelProfile.LINUX_7_2);
        host.addDevice("left");
        host.addDevice("right");
        left = new End(Devices.of(host).get(0).open());
        right = new End(Devices.of(host).get(1).open());
        var here = left.builder.prepare();
        var there = right.builder.prepare();
        left.queuePair = here.connect(there.endpoint());
        right.queuePair = there.connect(here.endpoint());
    }

    /// A message of 64 bytes there, and one back, between two threads that poll.
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void pingPong(Echo echo) {
        left.send(1);
        while (left.takeReceives() == 0) {
            Thread.onSpinWait();
        }
        left.receive(1);
        left.takeSends();
    }

    /// Messages of 64 bytes, sixteen with a doorbell, each with a receive and both completions, in one thread.
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @OperationsPerInvocation(BATCH)
    public int messages() {
        right.receive(BATCH);
        left.send(BATCH);
        return left.takeSends() + right.takeReceives();
    }

    /// Closes everything.
    @TearDown(Level.Trial)
    public void close() {
        try (
                network;
                End _ = left;
                End _ = right) {
            // each is closed, also if another one fails
        }
    }
}
