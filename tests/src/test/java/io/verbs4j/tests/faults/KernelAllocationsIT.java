// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.tests.support.KernelFaults;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/// Each kernel allocation within the system calls of each public operation fails once, and so does each copy from or to
/// the program. The operation reports this, or succeeds without it. It leaves no objects in the kernel, and the same
/// operation then works.
///
/// This needs a kernel with fault injection, such as the lab's `uml-gcov` and `uml-debug`.
@DeviceTest
@RealKernel("its allocations")
@Needs.EachKernel
@Needs.LongRun("a kernel that fails on demand, which user-mode Linux is with the checks of the kernel")
class KernelAllocationsIT {
    private static final int NEVER = Integer.MAX_VALUE;
    /// No memory, none for a queue pair's socket, and none for a neighbour's address.
    private static final List<Integer> LIMITS = List.of(Errno.ENOMEM, Errno.ENFILE, Errno.ENOBUFS);
    private static final int MAX_ALLOCATIONS = 5000;

    @BeforeEach
    void needsAKernelThatFailsOnDemand() {
        assumeTrue(KernelFaults.areThere(), "the kernel is not built to fail on demand");
    }

    @ParameterizedTest
    @EnumSource
    void leavesNothingAndWorksAfterEachAllocationOfTheKernelHasFailed(Operation operation) throws Exception {
        failEach(operation.name(), (faults, nth) -> attempt(operation, faults, nth));
    }

    @Test
    void openingADeviceLeavesNothingAfterEachAllocationOfTheKernelHasFailed() throws Exception {
        failEach("OPEN", KernelAllocationsIT::open);
    }

    private interface Attempt {
        /// @return whether there was an n-th allocation
        boolean make(KernelFaults faults, int nth) throws Exception;
    }

    private static void failEach(String name, Attempt attempt) throws Exception {
        var failures = new ArrayList<Throwable>();
        int nth = 1;
        try (var faults = new KernelFaults()) {
            for (boolean more = true; more && nth < MAX_ALLOCATIONS; nth++) {
                try {
                    more = attempt.make(faults, nth);
                } catch (TestAbortedException e) {
                    throw e; // the device lacks what the operation needs
                } catch (AssertionError | RuntimeException e) {
                    more = faults.disarm();
                    failures.add(new AssertionError("the allocation or copy " + nth + " of " + name, e));
                }
            }
        }
        if (!failures.isEmpty()) {
            var all = new AssertionError(failures.size() + " of " + nth + ": " + failures.getFirst().getCause());
            failures.forEach(all::addSuppressed);
            throw all;
        }
        assertThat(nth).isLessThan(MAX_ALLOCATIONS);
    }

    private static boolean open(KernelFaults faults, int nth) {
        faults.arm(nth);
        Context[] context = new Context[1];
        Throwable thrown = catchThrowable(() -> context[0] = InjectedDevices.open(faults.within(Rxe.openFile())));
        boolean struck = faults.disarm();
        check(thrown, struck, "open");
        if (context[0] != null) {
            context[0].close();
        }
        assertNothingLeft(nth);
        return struck;
    }

    private static boolean attempt(Operation operation, KernelFaults faults, int nth) throws Exception {
        var calls = new FaultInjector(faults.within(Rxe.openFile()), NEVER, new Fault.Fails(0));
        boolean struck;
        try (Context context = InjectedDevices.open(calls)) {
            assumeTrue(operation.needed() == null || context.supports(operation.needed()));
            var on = new Operands(context, Rxe.IPV4_INDEX);
            List<String> objects = LeakCheck.objectsOfContexts();
            AutoCloseable[] made = new AutoCloseable[1];
            int before = calls.calls().size();
            faults.arm(nth);
            Throwable thrown = catchThrowable(() -> made[0] = operation.run(on));
            struck = faults.disarm();
            check(thrown, struck, calls.calls().getLast());
            if (thrown != null) {
                if (!operation.closesContext()) {
                    assertThat(LeakCheck.objectsOfContexts()).as("%s after %s", operation, thrown)
                            .hasSameSizeAs(objects); // whose states may differ
                }
                if (leftInRtr(operation, on, calls.calls().subList(before, calls.calls().size()))) {
                    assertThatThrownBy(() -> operation.run(on)).isInstanceOf(VerbsException.class);
                } else {
                    close(operation.run(on));
                }
            }
            close(made[0]);
        }
        assertNothingLeft(nth);
        return struck;
    }

    /// Returns whether rxe has moved the queue pair to RTR before it found no room for incoming reads
    /// (`rxe_qp_from_attr`, rxe_qp.c). The program does not know this, and requests the same move again.
    ///
    /// @param made commands of the operation
    private static boolean leftInRtr(Operation operation, Operands on, List<String> made) {
        return operation == Operation.CONNECT
                && Collections.frequency(made, "invoke MODIFY_QP") == 1
                && on.stateOfConnecting() == QueuePairState.RTR.value();
    }

    private static void check(@Nullable Throwable thrown, boolean struck, String call) {
        if (thrown == null) {
            return;
        }
        assertThat(struck).as("%s failed by itself: %s", call, thrown).isTrue();
        assertThat(thrown).as(call).isInstanceOf(VerbsException.class);
        int errno = ((VerbsException) thrown).errno();
        if (errno != Errno.EFAULT) {
            assertThat(errno).as("%s: %s", call, thrown).isIn(LIMITS);
            assertThat(thrown).isInstanceOf(ResourceLimitException.class).hasMessageContaining("memory");
        }
    }

    private static void assertNothingLeft(int nth) {
        assertThat(LeakCheck.kernelObjects()).as("after %d", nth).isEmpty();
        assertThat(LeakCheck.descriptors()).as("after %d", nth).isEmpty();
        assertThat(LeakCheck.mappings()).as("after %d", nth).isEmpty();
    }

    private static void close(@Nullable AutoCloseable made) throws Exception {
        if (made != null) {
            made.close();
        }
    }
}
