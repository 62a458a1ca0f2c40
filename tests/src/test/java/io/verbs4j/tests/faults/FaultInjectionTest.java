// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.InjectedDevices;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.types.Errno;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Each system call of a program fails once with each possible error number, or returns garbage, on a simulated device,
/// which detects remaining objects.
class FaultInjectionTest {
    private static final int NEVER = Integer.MAX_VALUE;
    private static final List<Fault> NONSENSE = List.of(
            new Fault.Garbled((byte) 0xff),
            new Fault.Garbled((byte) 0),
            new Fault.Garbled((byte) 0x5a),
            new Fault.Short());

    @TestFactory
    Stream<DynamicTest> everyCallThatFailsIsReportedAndLeavesNothing() {
        return everyCall((scenario, call, closes) -> {
            for (int errno : Outcome.ERRORS) {
                var device = new FakeDevice();
                Outcome outcome = run(device, scenario, call, new Fault.Fails(errno), closes);
                outcome.assertFailedOrAbsorbed();
                // EIO says that the kernel has destroyed its objects itself; the simulated one has not, and has them
                // still.
                assertThat(device.left()).as("what is left after %s", outcome)
                        .noneMatch(errno == Errno.EIO ? FaultInjectionTest::isOurs : anything -> true);
                device.free();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> noAnswerOfTheKernelDoesHarm() {
        return everyCall((scenario, call, closes) -> {
            for (Fault fault : NONSENSE) {
                var device = new FakeDevice();
                Outcome outcome = run(device, scenario, call, fault, closes);
                outcome.assertOnlyDocumentedExceptions();
                // An object whose handle was never received is freed by the kernel with the file. One with a wrong
                // handle cannot be closed, and the file stays open with its events.
                assertThat(device.left()).as("what is left after %s", outcome)
                        .noneMatch(left -> isOurs(left) && (outcome.closingAgain() == null || isRings(left)))
                        .satisfies(left -> assertThat(left).filteredOn(FaultInjectionTest::isFile)
                                .hasSizeLessThanOrEqualTo(1));
                device.free();
            }
        });
    }

    private static boolean isOurs(String left) {
        return isFile(left) || isRings(left) || left.equals("the device");
    }

    private static boolean isFile(String left) {
        return left.startsWith("file ");
    }

    private static boolean isRings(String left) {
        return left.endsWith(" mapped rings");
    }

    private interface Check {
        void run(FaultScenario scenario, int call, boolean closes);
    }

    private static Stream<DynamicTest> everyCall(Check check) {
        return Stream.of(FaultScenario.values())
                .flatMap(scenario -> Stream.of(true, false).flatMap(closes -> everyCall(scenario, closes, check)));
    }

    private static Stream<DynamicTest> everyCall(FaultScenario scenario, boolean closes, Check check) {
        List<String> calls = callsWithoutFault(scenario, closes);
        return IntStream.rangeClosed(1, calls.size())
                .mapToObj(call -> DynamicTest.dynamicTest(
                        scenario + ": " + calls.get(call - 1) + ", call " + call
                                + (closes ? "" : ", closed by the context"),
                        () -> check.run(scenario, call, closes)));
    }

    private static List<String> callsWithoutFault(FaultScenario scenario, boolean closes) {
        var device = new FakeDevice();
        device.completeAtDoorbell();
        var injector = new FaultInjector(device, NEVER, new Fault.Short());
        Outcome outcome = Outcome.of(injector, () -> InjectedDevices.open(injector), scenario, 0, closes);
        assertThat(outcome.thrown()).isNull();
        assertThat(outcome.closing()).isNull();
        assertThat(device.left()).isEmpty();
        device.free();
        return injector.calls();
    }

    private static Outcome run(
            FakeDevice device, FaultScenario scenario, int call, Fault fault, boolean closes) {
        device.completeAtDoorbell();
        var injector = new FaultInjector(device, call, fault);
        Outcome outcome = Outcome.of(injector, () -> InjectedDevices.open(injector), scenario, 0, closes);
        assertThat(injector.struck()).isTrue();
        return outcome;
    }
}
