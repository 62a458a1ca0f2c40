// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.Context;
import io.verbs4j.simulator.junit.SimulatedRdma;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
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
import org.openjdk.jmh.annotations.Warmup;

/// Measures the start of the first test on simulated devices in a virtual machine that has loaded nothing of verbs4j.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 10,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"})
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class SimulatedTestStart {
    /// A test without devices.
    static class Plain {
        @Test
        void runs() {}
    }

    /// A test with two.
    @SimulatedRdma
    static class Simulated {
        @Test
        void runs(Context client, Context server) {
            client.allocateProtectionDomain().close();
            server.allocateProtectionDomain().close();
        }
    }

    /// Has JUnit loaded, which every test pays for.
    @Setup(Level.Trial)
    public void runPlainTest() {
        run(Plain.class);
    }

    /// Runs the test with two devices.
    @Benchmark
    public void firstTest() {
        run(Simulated.class);
    }

    private static void run(Class<?> test) {
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(test))
                                .build(),
                        summary);
        if (summary.getSummary().getTestsSucceededCount() != 1) {
            throw new IllegalStateException(test + " did not succeed: " + summary.getSummary().getFailures());
        }
    }
}
