// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Threads that sleep until the same queue has completions, on a simulated device. Like the kernel, it raises one event
/// even if a queue was armed several times.
class ThreadsThatAwaitTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final FakeDevice device = device();
    private final Context context = InjectedDevices.open(device);
    private final CompletionChannel channel = context.createCompletionChannel();
    private final CompletionQueue queue =
            context.createCompletionQueue(CompletionQueueOptions.entries(4).withChannel(channel));
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(8, Access.LOCAL_WRITE);
    private final QueuePair queuePair = domain.reliableConnection(queue).create();

    private static FakeDevice device() {
        var device = new FakeDevice();
        device.completeAtDoorbell();
        device.letEventsWait();
        return device;
    }

    @BeforeEach
    void connect() {
        InjectedDevices.ready(queuePair);
    }

    @AfterEach
    void close() {
        context.close();
        assertThat(device.left()).isEmpty();
        device.free();
    }

    @Test
    void areAllWokenByOneEvent() throws Exception {
        var threads = waiting(3);

        send(3);

        for (var thread : threads) {
            assertThat(thread.result(LIMIT)).isEqualTo(1);
        }
    }

    @Test
    void takeTheEventThatWakesThem() throws Exception {
        var threads = waiting(1);
        send(1);
        assertThat(threads.getFirst().result(LIMIT)).isEqualTo(1);

        assertThat(channel.take(Duration.ZERO)).isNull();
    }

    @Test
    void areWokenByTheProvidersOwnCompletions() throws Exception {
        var thread = InThread.PLATFORM.start(() -> Objects.requireNonNull(channel.take(Eventually.LIMIT)));
        Eventually.until(LIMIT, thread::isWaiting, thread::toString);

        channel.announcing(queue).run();

        assertThat(thread.result(LIMIT)).isSameAs(queue);
        assertThat(channel.take(Duration.ZERO)).isNull();
    }

    @Test
    void getNoEventOfAClosedQueue() throws Exception {
        var other = context.createCompletionQueue(CompletionQueueOptions.entries(4).withChannel(channel));
        other.close();

        channel.announcing(other).run();

        assertThat(channel.take(Duration.ZERO)).isNull();
    }

    private List<InThread.Started<Integer>> waiting(int number) {
        var threads = Stream.generate(() -> InThread.PLATFORM.start(() -> queue.await(1, _ -> {}, Eventually.LIMIT)))
                .limit(number)
                .toList();
        Eventually.until(
                LIMIT, () -> threads.stream().allMatch(InThread.Started::isWaiting), threads::toString);
        return threads;
    }

    private void send(int number) {
        var send = new SendWorkRequest().send().local(memory.local()).signaled();
        queuePair.post(Collections.nCopies(number, send).toArray(SendWorkRequest[]::new));
    }
}
