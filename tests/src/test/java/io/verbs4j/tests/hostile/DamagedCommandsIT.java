// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.tests.faults.Operands;
import io.verbs4j.tests.faults.Operation;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.KernelFaults;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.VerbsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each field of each command of each public operation is damaged in turn: lengths, numbers, handles and pointers, in
/// the command and in the memory that it points to. The kernel refuses the command or executes a different one. It
/// keeps no objects after the program has closed its file. The library throws only documented exceptions.
///
/// Kernels built with defect checks get every third of these commands, others every hundredth.
@DeviceTest
@RealKernel("what it says of damaged commands")
@Needs.OneKernel("our code refuses most of it")
@Needs.LongRun("each field of each command of sixty operations")
class DamagedCommandsIT {
    private static final int STEP = KernelFaults.areThere() ? 3 : 101;

    @ParameterizedTest
    @EnumSource
    void areRefusedOrLeaveNothing(Operation operation) throws Exception {
        // A queue pair that stays in its group is destroyed again and again, for a second.
        int step = operation == Operation.CLOSE_QUEUE_PAIR_IN_A_GROUP ? 11 * STEP : STEP;
        int place = operation.ordinal() % step;
        while (attempt(operation, place)) {
            place += step;
        }
        assertThat(LeakCheck.descriptors()).isEmpty();
        assertThat(LeakCheck.mappings()).isEmpty();
    }

    private static boolean attempt(Operation operation, int place) throws Exception {
        var damage = new CommandDamage(Rxe.openFile(), place);
        boolean there;
        try {
            Context context = InjectedDevices.open(damage.file());
            assumeTrue(operation.needed() == null || context.supports(operation.needed()));
            var on = new Operands(context, Rxe.IPV4_INDEX);
            damage.begin();
            AutoCloseable[] made = new AutoCloseable[1];
            check(place, catchThrowable(() -> made[0] = operation.run(on)));
            there = damage.end();
            if (made[0] != null) {
                check(place, catchThrowable(made[0]::close));
            }
            if (!context.isClosed()) {
                check(place, catchThrowable(context::close));
            }
            if (!context.isClosed()) {
                check(place, catchThrowable(context::close));
            }
        } finally {
            damage.close();
        }
        assertThat(LeakCheck.kernelObjects()).as("after place %d of %s", place, operation).isEmpty();
        return there;
    }

    private static void check(int place, @Nullable Throwable thrown) {
        if (thrown != null) {
            assertThat(thrown)
                    .as("place %d", place)
                    .isInstanceOfAny(
                            VerbsException.class, IllegalStateException.class, IllegalArgumentException.class);
        }
    }
}
