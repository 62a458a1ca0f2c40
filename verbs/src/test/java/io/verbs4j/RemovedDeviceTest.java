// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Gid;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// A device that the kernel removes while a program uses it, which is possible with drivers other than rxe. The test
/// uses a simulated device, which detects remaining objects.
class RemovedDeviceTest {
    @Test
    void everyCallSaysSoAndEverythingCanBeClosed() {
        var device = new FakeDevice();
        var context = InjectedDevices.open(device);
        var domain = context.allocateProtectionDomain();
        var channel = context.createCompletionChannel();
        var queue = context.createCompletionQueue(CompletionQueueOptions.entries(4).withChannel(channel));
        var memory = domain.allocate(4096, Access.LOCAL_WRITE);
        var handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 0x0000_ffff_0a09_0002L)));
        var shared = domain.createSharedReceiveQueue(2, 1);
        var queuePair = domain.reliableConnection(queue).create();
        device.remove();

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> context.port(1),
                context::gids,
                context::allocateProtectionDomain,
                context::createCompletionChannel,
                () -> context.createCompletionQueue(4),
                () -> domain.allocate(4096),
                () -> queue.resize(20),
                () -> queue.requestNotification(false),
                shared::query,
                queuePair::query)) {
            assertThatThrownBy(call).isInstanceOf(DeviceGoneException.class).hasMessageContaining("EIO");
        }
        assertThat(queue.poll(1, _ -> {})).as("what has arrived can still be polled").isZero();

        memory.close();
        handle.close();
        context.close();
        assertThat(queuePair.isClosed()).isTrue();
        assertThat(device.left()).isEmpty();
        device.free();
    }
}
