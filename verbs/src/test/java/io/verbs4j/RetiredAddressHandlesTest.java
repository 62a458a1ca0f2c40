// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Closed address handles that sends still use: on a simulated device that takes no sends.
@Timeout(60)
class RetiredAddressHandlesTest {
    private static final String DESTROYED = "destroy address handle";

    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final QueuePair datagrams =
            InjectedDevices.ready(domain.datagram(context.createCompletionQueue(4)).create());

    @AfterEach
    void close() {
        context.close();
        device.free();
    }

    private void retire(int count) {
        for (int i = 0; i < count; i++) {
            var handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 1)));
            datagrams.post(new SendWorkRequest().send().to(handle, 1, 1));
            handle.close();
        }
        assertThat(domain.retiredHandles().count()).isEqualTo(count);
    }

    /// The kernel refuses to destroy the domain while one of its handles exists.
    @Test
    void areDestroyedBeforeTheDomainEvenIfAnotherThreadClosesTheQueuePair() throws Exception {
        retire(2);
        var closes = new ArrayList<InThread.Started<?>>();
        device.before(DESTROYED, () -> {
            var close = InThread.PLATFORM.start(Executors.callable(context::close));
            Eventually.until(() -> close.isDone() || close.isWaiting(), () -> "the close neither ends nor waits");
            closes.add(close);
        });

        datagrams.close();

        closes.getFirst().result();
        assertThat(device.log()).containsSubsequence(DESTROYED, DESTROYED, "deallocate protection domain");
        assertThat(device.left()).isEmpty();
    }

    @Test
    void areDestroyedWithTheDomainIfTheKernelRefusedBefore() {
        retire(3);
        device.fail(DESTROYED, 2);
        datagrams.close();
        assertThat(domain.retiredHandles().count()).isEqualTo(2);
        domain.close();
        assertThat(domain.retiredHandles().count()).isZero();
    }
}
