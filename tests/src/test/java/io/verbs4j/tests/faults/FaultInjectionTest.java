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

/// Each system call of a program fails once, with each error number that it may give, or answers with nonsense; on a
/// simulated device, which knows what is left behind.
class FaultInjectionTest {
    private static final int NEVER = Integer.MAX_VALUE;
    private static final List<Fault> NONSENSE = List.of(
            new Fault.Garbled((byte) 0xff),
            new Fault.Garbled((byte) 0),
            new Fault.Garbled((byte) 0x5a),
            new Fault.Short());

    @TestFactory
    Stream<DynamicTest> everyCallThatFailsIsReportedAndLeavesNothing() {
        return everyCall((call, closes) -> {
            for (int errno : Outcome.ERRORS) {
                var device = new FakeDevice();
                Outcome outcome = run(device, call, new Fault.Fails(errno), closes);
                outcome.assertFailedOrAbsorbed();
                // EIO says that the kernel has destroyed its objects itself; the simulated one has not, and has them still.
                assertThat(device.left()).as("what is left after %s", outcome)
                        .noneMatch(errno == Errno.EIO ? FaultInjectionTest::isOurs : anything -> true);
                device.free();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> noAnswerOfTheKernelDoesHarm() {
        return everyCall((call, closes) -> {
            for (Fault fault : NONSENSE) {
                var device = new FakeDevice();
                Outcome outcome = run(device, call, fault, closes);
                outcome.assertOnlyDocumentedExceptions();
                if (outcome.closing() == null) {
                    // An object whose handle was never learned is the kernel's to free, which it does with the file.
                    assertThat(device.left()).as("what is left after %s", outcome)
                            .noneMatch(FaultInjectionTest::isOurs);
                }
                device.free();
            }
        });
    }

    private static boolean isOurs(String left) {
        return left.startsWith("file ") || left.endsWith(" mapped rings") || left.equals("the device");
    }

    private interface Check {
        void run(int call, boolean closes);
    }

    private static Stream<DynamicTest> everyCall(Check check) {
        return Stream.of(true, false).flatMap(closes -> {
            List<String> calls = callsWithoutFault(closes);
            return IntStream.rangeClosed(1, calls.size())
                    .mapToObj(call -> DynamicTest.dynamicTest(
                            calls.get(call - 1) + ", call " + call + (closes ? "" : ", closed by the context"),
                            () -> check.run(call, closes)));
        });
    }

    private static List<String> callsWithoutFault(boolean closes) {
        var device = new FakeDevice();
        device.completeAtDoorbell();
        var injector = new FaultInjector(device, NEVER, new Fault.Short());
        Outcome outcome = Outcome.of(injector, () -> InjectedDevices.open(injector), 0, closes);
        assertThat(outcome.thrown()).isNull();
        assertThat(outcome.closing()).isNull();
        assertThat(device.left()).isEmpty();
        device.free();
        return injector.calls();
    }

    private static Outcome run(FakeDevice device, int call, Fault fault, boolean closes) {
        device.completeAtDoorbell();
        var injector = new FaultInjector(device, call, fault);
        Outcome outcome = Outcome.of(injector, () -> InjectedDevices.open(injector), 0, closes);
        assertThat(injector.struck()).isTrue();
        return outcome;
    }
}
