// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.InjectedDevices;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Errno;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Repeats [FaultInjectionTest] on a real device, where the calls before the fault have created kernel objects. When
/// the program closes its file, the test checks the kernel for remaining objects, and then the process for remaining
/// files and mappings.
///
/// The short form tests some of the calls, with one error number each, which varies between calls. The long form
/// (system property `walks.minutes`) tests all calls with all numbers.
@DeviceTest
@Needs.OneKernel
@Needs.LongRun("each system call of a dozen scenarios; FaultInjectionTest does the same on a simulated device")
class FaultInjectionIT {
    private static final int NEVER = Integer.MAX_VALUE;
    private static final boolean ALL = Long.getLong("walks.minutes", 0) > 0;

    /// Each scenario; in the long form each with each error number.
    static Stream<Arguments> scenariosAndErrors() {
        return Stream.of(FaultScenario.values())
                .flatMap(scenario -> ALL
                        ? Outcome.ERRORS.stream().map(errno -> Arguments.of(scenario, List.of(errno)))
                        : Stream.of(Arguments.of(scenario, Outcome.ERRORS)));
    }

    @ParameterizedTest
    @MethodSource("scenariosAndErrors")
    void everyCallThatFailsIsReportedAndLeavesNothing(FaultScenario scenario, List<Integer> errors) {
        int step = ALL ? 1 : scenario == FaultScenario.CONNECTION ? 2 : 4;
        var used = new TreeSet<Integer>();
        int struck = 0;
        int runs = 0;
        for (boolean closes : new boolean[]{true, false}) {
            int calls = callsWithoutFault(scenario, closes).size();
            for (int call = closes ? 1 : Math.min(2, step); call <= calls; call += step) {
                int errno = errors.get((scenario.ordinal() + runs) % errors.size());
                struck += fail(scenario, call, errno, closes) ? 1 : 0;
                used.add(errno);
                runs++;
            }
        }
        if (scenario == FaultScenario.CONNECTION) {
            assertThat(used).containsExactlyInAnyOrderElementsOf(errors);
        }
        // How often a program waits and looks again is the kernel's business, so that the last calls may be missing.
        assertThat(struck).isGreaterThan(runs * 8 / 10);
    }

    /// The older forms of commands are tried where the kernel says that it lacks the newer ones, and work.
    @Test
    void everyMethodThatTheKernelLacksHasAnotherWayOrIsReported() {
        var tried = new TreeSet<String>();
        for (FaultScenario scenario : FaultScenario.values()) {
            List<String> calls = callsWithoutFault(scenario, true);
            for (int call = 1; call <= calls.size(); call++) {
                String name = calls.get(call - 1);
                if (name.startsWith("ioctl ") && (tried.add(name) || scenario == FaultScenario.CONNECTION)) {
                    fail(scenario, call, Errno.EPROTONOSUPPORT, true);
                }
            }
        }
    }

    private static List<String> callsWithoutFault(FaultScenario scenario, boolean closes) {
        FaultInjector injector = injector(NEVER, new Fault.Short(), () -> {});
        Outcome outcome = run(injector, scenario, closes);
        assertThat(outcome.thrown()).isNull();
        assertThat(outcome.closing()).isNull();
        List<String> calls = injector.calls();
        if (scenario == FaultScenario.MEMORY) {
            assertThat(calls.contains("invoke REREG_MR")).isEqualTo(Kernel.hasReregistration());
            assertThat(calls.contains("ioctl ADVISE_MR")).isEqualTo(Kernel.hasOnDemandPaging());
        }
        return calls;
    }

    /// @return whether the program came as far as the faulty call
    private static boolean fail(FaultScenario scenario, int call, int errno, boolean closes) {
        return FaultRun.fail(
                errno,
                beforeClose -> injector(call, new Fault.Fails(errno), beforeClose),
                injector -> run(injector, scenario, closes));
    }

    private static FaultInjector injector(int call, Fault fault, Runnable beforeClose) {
        return new FaultInjector(Rxe.openFile(), call, fault, beforeClose);
    }

    private static Outcome run(FaultInjector injector, FaultScenario scenario, boolean closes) {
        return Outcome.of(injector, () -> InjectedDevices.open(injector), scenario, Rxe.IPV4_INDEX, closes);
    }
}
