// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.tests.faults.Operation;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.InstrumentingLoader;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Simulated;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each allocation of each public operation fails once with an `OutOfMemoryError`. The operation leaves no objects in
/// this process and in the kernel, holds no lock, and then works in another thread.
///
/// The short form tests every sixth allocation on simulated devices, different ones on each kernel, and a few on real
/// devices. The long form (system property `walks.minutes`) tests all.
@DeviceTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Needs.NoKernel("the heap is the same everywhere")
class EveryAllocationIT {
    private static final boolean ALL = Long.getLong("walks.minutes", 0) > 0;
    private static final boolean SIMULATED = Simulated.isUsed();

    private Method run;

    @BeforeAll
    void rewrite() throws ReflectiveOperationException {
        run = new InstrumentingLoader((_, bytes) -> HeapWeaver.weave(bytes))
                .loadClass(HeapRun.class.getName())
                .getDeclaredMethod("run", String.class, int.class, int.class);
        run.setAccessible(true);
    }

    /// @return how many allocations there are
    private int run(String operation, int step) throws Throwable {
        try {
            return (int) run.invoke(null, operation, 1 + KernelRelease.running().minor() % step, step);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesNothingAndWorksAfterEachOfItsAllocationsHasFailed(Operation operation) throws Throwable {
        run(operation.name(), ALL ? 1 : SIMULATED ? 6 : 240);
    }

    @Test
    void openingADeviceLeavesNothingAfterEachOfItsAllocationsHasFailed() throws Throwable {
        assertThat(run(HeapRun.OPEN, ALL || SIMULATED ? 1 : 40)).isGreaterThan(100);
    }
}
