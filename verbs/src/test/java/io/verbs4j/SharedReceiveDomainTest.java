// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.verbs4j.rxe.FakeDevice;
import org.junit.jupiter.api.Test;

/// Under rxe a queue pair uses a shared receive queue only in its own protection domain. Tested on a simulated device.
class SharedReceiveDomainTest {
    @Test
    void aQueuePairOfAnotherDomainIsRefusedByName() {
        var device = new FakeDevice();
        try (var context = OpenFile.asRxe(device)) {
            var queue = context.createCompletionQueue(4);
            var own = context.allocateProtectionDomain();
            var other = context.allocateProtectionDomain();
            var shared = own.createSharedReceiveQueue(4, 1);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> other.reliableConnection(queue).sharedReceiveQueue(shared).create())
                    .withMessageContainingAll("shared receive queue 4711", "another protection domain");
            assertThat(own.reliableConnection(queue).sharedReceiveQueue(shared).create().sharedReceiveQueue())
                    .isSameAs(shared);
        }
        assertThat(device.left()).isEmpty();
        device.free();
    }
}
