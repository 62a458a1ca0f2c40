// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Simulated;
import io.verbs4j.types.Errno;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each system call and mapping of each public operation fails once. The operation reports the failure or uses an
/// alternative. It leaves no objects, and the same operation then works in the same context. Opening a device and
/// connecting by the connection manager are tested in [FaultInjectionIT] and `FaultyConnectionsIT`.
///
/// In the short form each call fails with one error number, and on real rxe only every eighth call does. The long form
/// (system property `walks.minutes`) tests all numbers.
@DeviceTest
@Needs.OneKernel
class EveryOperationIT {
    private static final int NEVER = Integer.MAX_VALUE;
    private static final boolean ALL = Long.getLong("walks.minutes", 0) > 0;

    private static final boolean SIMULATED = Simulated.isUsed();

    /// Without those that take the device away, after which nothing works: [FaultInjectionIT] has them.
    private static final List<Integer> ERRORS = Outcome.ERRORS.stream()
            .filter(errno -> errno != Errno.EIO && errno != Errno.ENODEV)
            .toList();

    @ParameterizedTest
    @EnumSource
    void leavesNothingAndWorksAfterEachOfItsCallsHasFailed(Operation operation) throws Exception {
        int before;
        int calls;
        var counting = injector(NEVER, 0);
        try (Context context = InjectedDevices.open(counting)) {
            var on = operands(context, operation);
            before = counting.calls().size();
            close(operation.run(on));
            calls = counting.calls().size() - before;
        }
        int step = ALL || SIMULATED ? 1 : 8;
        for (int call = 1 + operation.ordinal() % step; call <= calls; call += step) {
            for (int i = 0; i < (ALL ? ERRORS.size() : 1); i++) {
                int errno = ERRORS.get((operation.ordinal() + call + i) % ERRORS.size());
                fail(operation, before + call, errno);
            }
        }
    }

    /// Makes the same calls each time, so that those of the operation can be counted from there.
    private static Operands operands(Context context, Operation operation) {
        var on = new Operands(context, Rxe.IPV4_INDEX);
        assumeTrue(operation.needed() == null || context.supports(operation.needed()));
        return on;
    }

    private static void fail(Operation operation, int call, int errno) throws Exception {
        var injector = injector(call, errno);
        try (Context context = InjectedDevices.open(injector)) {
            var on = operands(context, operation);
            assertThat(injector.struck()).isFalse();
            List<String> objects = LeakCheck.objectsOfContexts();
            AutoCloseable[] made = new AutoCloseable[1];
            Throwable thrown = catchThrowable(() -> made[0] = operation.run(on));
            if (thrown == null) {
                close(made[0]); // the fault may strike only here
            } else {
                new Outcome(injector.faultyCall(), injector.fault(), thrown, null, null).assertFailedOrAbsorbed();
                if (!operation.closesContext()) {
                    assertThat(LeakCheck.objectsOfContexts()).as("%s after %s", operation, thrown)
                            .hasSameSizeAs(objects); // whose states may differ
                }
                if (endsTheQueue(operation, injector.faultyCall())) {
                    assertThatIllegalStateException().isThrownBy(() -> operation.run(on));
                } else {
                    close(operation.run(on));
                }
            }
        }
        assertThat(LeakCheck.descriptors()).as("after %s of %s", injector.faultyCall(), operation).isEmpty();
        assertThat(LeakCheck.mappings()).as("after %s of %s", injector.faultyCall(), operation).isEmpty();
    }

    private static boolean endsTheQueue(Operation operation, String faultyCall) {
        return operation == Operation.RESIZE_SHARED_RECEIVE_QUEUE
                && faultyCall.equals("invoke MODIFY_SRQ")
                && !Kernel.keepsSharedReceiveQueuesWhoseResizeFails();
    }

    /// A close that the kernel refuses can be repeated.
    private static void close(@Nullable AutoCloseable made) throws Exception {
        if (made != null && catchThrowable(made::close) != null) {
            made.close();
        }
    }

    private static FaultInjector injector(int call, int errno) {
        return new FaultInjector(Rxe.openFile(), call, new Fault.Fails(errno));
    }
}
