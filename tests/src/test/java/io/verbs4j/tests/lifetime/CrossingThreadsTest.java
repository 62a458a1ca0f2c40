// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Threads that need what another one holds never wait for each other in a circle: on a simulated device.
class CrossingThreadsTest {
    /// Longer than anything takes that does not hang.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final CompletionQueue queue = context.createCompletionQueue(4);
    private final QueuePair queuePair =
            context.allocateProtectionDomain().reliableConnection(queue).create();

    CrossingThreadsTest() {
        device.completeAtDoorbell();
        for (QueuePairState state : List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS)) {
            queuePair.modify(QueuePairAttributes.builder().state(state).build());
        }
    }

    /// Not closed: what hangs would hang here once more.
    @AfterEach
    void free() {
        device.free();
    }

    @Test
    void aHandlerMayCloseAQueuePairThatAnotherThreadCloses() throws Exception {
        var memory = queuePair.protectionDomain().allocate(8, Access.LOCAL_WRITE);
        queuePair.post(SendWorkRequest.send(memory.local()).withSignal());
        var handled = InThread.PLATFORM.start(() -> queue.poll(1, _ -> {
            var closer = InThread.PLATFORM.start(() -> {
                queuePair.close();
                return queuePair.isClosed();
            });
            Eventually.until(LIMIT, queuePair::isClosed, closer::toString);
            queuePair.close();
        }));
        assertThat(handled.result(LIMIT.multipliedBy(2))).isEqualTo(1);
    }
}
