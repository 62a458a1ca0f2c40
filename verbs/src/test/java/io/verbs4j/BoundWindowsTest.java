// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A type 2 window that is bound through two queue pairs of a simulated device.
class BoundWindowsTest {
    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final CompletionQueue queue = context.createCompletionQueue(4);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(8, Access.MEMORY_WINDOW_BIND);
    private final MemoryWindow window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2);

    @AfterEach
    void close() {
        context.close();
        device.free();
    }

    private QueuePair bound() {
        return bound(List.of(window));
    }

    private QueuePair bound(List<MemoryWindow> windows) {
        QueuePair queuePair = InjectedDevices.ready(domain.reliableConnection(queue).create());
        for (MemoryWindow each : windows) {
            assertThat(queuePair.post(new SendWorkRequest().bind(each, Access.REMOTE_READ).local(memory.local())))
                    .isOne();
        }
        return queuePair;
    }

    private static void modify(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    /// After the reset, the kernel no longer reports whether the second bind failed. If it failed, the window still
    /// holds a reference to the first queue pair.
    @Test
    void isClosedWithTheFirstQueuePairAfterAResetOfTheSecond() {
        QueuePair first = bound();
        modify(bound(), QueuePairState.RESET);
        first.close();
        assertThat(window.isClosed()).isTrue();
    }

    /// Such a bind fails if the window was not invalidated before, and then the window still holds a reference to the
    /// first queue pair.
    @Test
    void isClosedWithTheFirstQueuePairIfTheSecondBindStaysOutstanding() {
        QueuePair first = bound();
        bound();
        first.close();
        assertThat(window.isClosed()).isTrue();
    }

    @Test
    void manyAreClosedAfterOneWait() {
        List<MemoryWindow> windows = Stream.generate(() -> domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2))
                .limit(12)
                .toList();
        QueuePair first = bound(windows);
        bound(windows);
        long start = System.nanoTime();
        first.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
        assertThat(windows).allMatch(MemoryWindow::isClosed);
    }

    @Test
    void staysOpenWithoutAReferenceToTheFirstQueuePair() {
        device.completeAtDoorbell();
        WeakReference<QueuePair> first = closedAfterItsSuccessorIsBound();
        assertThat(window.isClosed()).isFalse();
        Eventually.until(() -> {
            System.gc();
            return first.get() == null;
        }, () -> "the window keeps the queue pair");
    }

    private WeakReference<QueuePair> closedAfterItsSuccessorIsBound() {
        QueuePair first = bound();
        bound();
        first.close();
        return new WeakReference<>(first);
    }
}
