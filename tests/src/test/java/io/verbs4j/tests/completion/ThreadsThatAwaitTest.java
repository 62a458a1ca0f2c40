// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.InjectedDevices;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Threads that sleep until the same queue has completions: on a simulated device, which like the kernel raises one event however
/// often a queue was armed.
class ThreadsThatAwaitTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void areAllWokenByOneEvent() throws Exception {
        var device = new FakeDevice();
        device.completeAtDoorbell();
        device.letEventsWait();
        var context = InjectedDevices.open(device);
        var domain = context.allocateProtectionDomain();
        var memory = domain.allocate(8, Access.LOCAL_WRITE);
        var queue = context.createCompletionQueue(
                CompletionQueueOptions.entries(4).withChannel(context.createCompletionChannel()));
        var queuePair = domain.reliableConnection(queue).create();
        for (QueuePairState state : List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS)) {
            queuePair.modify(QueuePairAttributes.builder().state(state).build());
        }
        var threads = Stream.generate(() -> InThread.PLATFORM.start(() -> queue.await(1, _ -> {}, Eventually.LIMIT)))
                .limit(3)
                .toList();
        Eventually.until(
                LIMIT, () -> threads.stream().allMatch(InThread.Started::isWaiting), threads::toString);

        var send = SendWorkRequest.send(memory.local()).withSignal();
        queuePair.post(send, send, send);

        for (var thread : threads) {
            assertThat(thread.result(LIMIT)).isEqualTo(1);
        }
        context.close();
        assertThat(device.left()).isEmpty();
        device.free();
    }
}
