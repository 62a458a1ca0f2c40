// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.InjectedDevices;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What becomes of the modifiers of a work request that is refused: on a simulated device.
class RefusedModifiersTest {
    @Test
    void stayForTheNextWorkRequest() {
        var device = new FakeDevice();
        device.completeAtDoorbell();
        var identifiers = new ArrayList<Long>();
        try (var context = InjectedDevices.open(device)) {
            var domain = context.allocateProtectionDomain();
            var memory = domain.allocate(8, Access.LOCAL_WRITE);
            var queue = context.createCompletionQueue(4);
            var queuePair = domain.reliableConnection(queue).create();
            for (QueuePairState state : List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS)) {
                queuePair.modify(QueuePairAttributes.builder().state(state).build());
            }
            try (var batch = queuePair.beginSend()) {
                batch.workRequestId(7).signaled();
                assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> batch.send(memory, 1, 8));
                batch.send(memory, 0, 8);
                batch.send(memory, 0, 8);
                batch.submit();
            }
            queue.poll(2, completion -> identifiers.add(completion.workRequestId()));
        }
        assertThat(identifiers).containsExactly(7L, 0L);
        device.free();
    }
}
