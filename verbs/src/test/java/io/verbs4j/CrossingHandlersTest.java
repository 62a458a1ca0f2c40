// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two threads in handlers of different completion queues close queue pairs that use both queues. Neither thread waits
/// for the other.
class CrossingHandlersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(FileCalls.oneAtATime(device));
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(8, Access.LOCAL_WRITE);

    CrossingHandlersTest() {
        device.completeAtDoorbell();
    }

    /// Not closed: what hangs would hang here once more.
    @AfterEach
    void free() {
        device.free();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endQueuePairsThatUseBothQueues(boolean reset) throws Exception {
        CompletionQueue first = queueWithACompletion();
        CompletionQueue second = queueWithACompletion();
        Consumer<QueuePair> end = reset
                ? queuePair -> modify(queuePair, QueuePairState.RESET)
                : QueuePair::close;
        QueuePair there = domain.reliableConnection(first).receiveCompletionQueue(second).create();
        QueuePair back = domain.reliableConnection(second).receiveCompletionQueue(first).create();
        var inHandlers = new CyclicBarrier(2);

        var one = endInHandler(first, inHandlers, () -> end.accept(there));
        var other = endInHandler(second, inHandlers, () -> end.accept(back));

        assertThat(one.result(LIMIT)).isEqualTo(1);
        assertThat(other.result(LIMIT)).isEqualTo(1);
        assertThat(there.isClosed()).isEqualTo(!reset);
        assertThat(back.isClosed()).isEqualTo(!reset);
    }

    private static InThread.Started<Integer> endInHandler(
            CompletionQueue queue, CyclicBarrier inHandlers, Runnable end) {
        return InThread.PLATFORM.start(() -> queue.poll(1, _ -> {
            InThread.await(inHandlers);
            end.run();
        }));
    }

    private CompletionQueue queueWithACompletion() {
        CompletionQueue queue = context.createCompletionQueue(4);
        QueuePair sender = domain.reliableConnection(queue).create();
        modify(sender, QueuePairState.INIT);
        modify(sender, QueuePairState.RTR);
        modify(sender, QueuePairState.RTS);
        assertThat(sender.post(new SendWorkRequest().send().local(memory.local()).signaled())).isEqualTo(1);
        return queue;
    }

    private static void modify(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }
}
