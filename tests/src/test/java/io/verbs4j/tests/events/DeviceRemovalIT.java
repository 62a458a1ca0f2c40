// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Probe;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TemporaryRxe;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A device that is removed (`rdma link delete`) while a program uses it.
///
/// The kernel can disconnect programs from a device at once only if the driver supports this. rxe does not: it has no
/// `disassociate_ucontext` (rxe_dev_ops, rxe_verbs.c). So the device disappears from all lists, but the removal waits
/// until the last program has closed it. That program continues to work, and gets no event.
@DeviceTest
@RealKernel("a removal that waits until the last program has closed the device")
@Needs.EachKernel
class DeviceRemovalIT {
    private final TemporaryRxe device = new TemporaryRxe();
    private final Device listed = Devices.find(TemporaryRxe.NAME);
    private final Context context = device.open();

    @AfterEach
    void close() {
        try (TemporaryRxe _ = device) {
            context.close();
        }
    }

    private ExternalProcess.Running remove() {
        var removal = device.startRemoval();
        Eventually.until(() -> !TemporaryRxe.isListed(), () -> "still there; " + removal.output());
        return removal;
    }

    private static void requireEnd(ExternalProcess.Running removal) {
        removal.await(Eventually.LIMIT).requireSuccess();
    }

    @Test
    void hidesTheDeviceFromNewUsers() {
        try (var removal = remove()) {
            assertThat(Devices.list()).extracting(Device::name).doesNotContain(TemporaryRxe.NAME);
            assertThatThrownBy(() -> Devices.find(TemporaryRxe.NAME))
                    .isInstanceOf(DeviceGoneException.class)
                    .hasMessageContainingAll("ENODEV", TemporaryRxe.NAME);
            assertThatThrownBy(listed::open)
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isIn(Errno.ENOENT, Errno.ENXIO));
            context.close();
            requireEnd(removal);
        }
    }

    @Test
    void leavesOpenContextsToTheirUsers() throws InterruptedException {
        var prepared = context.allocateProtectionDomain()
                .reliableConnection(context.createCompletionQueue(16))
                .prepare();
        var before = prepared.connect(prepared.endpoint());
        try (var removal = remove()) {
            assertThat(before.query().state()).isEqualTo(QueuePairState.RTS);
            assertThat(Probe.writeToItself(context)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(context.port(1).port()).isEqualTo(1);
            assertThat(context.gids(1)).isNotEmpty();
            assertThat(ExpectedEvents.of(context).rest()).isEmpty();
            assertThat(removal.await(Duration.ZERO).exitCode()).as("it waits").isEqualTo(-1);

            context.close();
            requireEnd(removal);
        }
    }

    @Test
    void leavesSysfsAsItIs() {
        try (var removal = remove()) {
            assertThat(context.pkeys(1)).containsExactly(0xffff);
            assertThat(context.hardwareCounters(1).values()).isNotEmpty();
            context.close();
            requireEnd(removal);
        }
    }

    /// Mapped rings and event queues hold the device as much as its file does.
    @Test
    void waitsForEverythingThatIsOpen() {
        var queue = context.createCompletionQueue(
                CompletionQueueOptions.entries(16).withChannel(context.createCompletionChannel()));
        var prepared = context.allocateProtectionDomain().reliableConnection(queue).prepare();
        prepared.connect(prepared.endpoint());
        var second = device.open();
        try (var removal = remove()) {
            context.close();
            assertThat(removal.await(Duration.ofMillis(300)).exitCode()).as("it waits").isEqualTo(-1);
            second.close();
            requireEnd(removal);
        }
    }
}
