// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A queue pair that the kernel does not destroy at the first call.
class BusyQueuePairTest {
    private static final String DESTROY = "ioctl QP_DESTROY";
    private static final String OPERATION = "destroy queue pair";

    private final List<FakeDevice> devices = new ArrayList<>();
    private int destroy;

    /// Finds which call destroys it.
    @BeforeEach
    void count() {
        FaultInjector counting = failing(Integer.MAX_VALUE, 0);
        closeAQueuePair(counting);
        destroy = counting.calls().indexOf(DESTROY) + 1;
        assertThat(destroy).isPositive();
    }

    @AfterEach
    void free() {
        for (FakeDevice device : devices) {
            assertThat(device.left()).isEmpty();
            device.free();
        }
    }

    @Test
    void isDestroyedOnceACallThatStillRunsHasEnded() {
        FaultInjector busy = failing(destroy, Errno.EBUSY);

        closeAQueuePair(busy);

        assertThat(busy.faultyCall()).isEqualTo(DESTROY);
        assertThat(attempts(busy)).hasSize(2);
    }

    /// An interrupt ends a pause at once. Without pauses, all attempts fit into a few milliseconds.
    @Test
    void isDestroyedByAnInterruptedThreadThatPausesAllTheSame() throws Exception {
        var device = new FakeDevice();
        devices.add(device);
        var interrupted = new ArrayList<Boolean>();
        try (var context = InjectedDevices.open(device)) {
            var queuePair = context.allocateProtectionDomain()
                    .reliableConnection(context.createCompletionQueue(4))
                    .create();
            device.fail(OPERATION, 1);
            device.before(OPERATION, () -> device.before(
                    OPERATION, () -> interrupted.add(Thread.currentThread().isInterrupted())));
            interrupted.add(InThread.PLATFORM.get(() -> {
                Thread.currentThread().interrupt();
                queuePair.close();
                return Thread.currentThread().isInterrupted();
            }));
        }
        assertThat(interrupted).as("at the second attempt, and after the close").containsExactly(false, true);
    }

    @Test
    void isLeftToTheProgramIfTheKernelRefusesForAnotherReason() {
        FaultInjector refusing = failing(destroy, Errno.EPERM);

        try (var context = InjectedDevices.open(refusing)) {
            var queuePair = context.allocateProtectionDomain()
                    .reliableConnection(context.createCompletionQueue(4))
                    .create();
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(queuePair::close)
                    .returns(Errno.EPERM, VerbsException::errno);
            assertThat(attempts(refusing)).hasSize(1);
        }
        assertThat(attempts(refusing)).hasSize(2);
    }

    private FaultInjector failing(int call, int errno) {
        var device = new FakeDevice();
        devices.add(device);
        return new FaultInjector(device, call, new Fault.Fails(errno));
    }

    private static List<String> attempts(FaultInjector on) {
        return on.calls().stream().filter(DESTROY::equals).toList();
    }

    private static void closeAQueuePair(FaultInjector on) {
        try (var context = InjectedDevices.open(on)) {
            context.allocateProtectionDomain()
                    .reliableConnection(context.createCompletionQueue(4))
                    .create()
                    .close();
        }
    }
}
