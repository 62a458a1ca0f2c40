// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.ReceiveWorkRequest;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A handler of completions, which holds the lock of its queue, makes, changes and closes other objects.
@DeviceTest
@Needs.OneKernel
class WorkInHandlersIT {
    private static void modify(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(state == QueuePairState.INIT
                ? QueuePairAttributes.builder().state(state).pkeyIndex(0).port(1).access(Access.REMOTE_READ).build()
                : QueuePairAttributes.builder().state(state).build());
    }

    /// Lets a completion into a queue and does something in its handler.
    private static void inHandler(ProtectionDomain domain, CompletionQueue queue, Runnable action) {
        try (
                var memory = domain.allocate(64, Access.LOCAL_WRITE);
                var queuePair = domain.reliableConnection(queue).create()) {
            modify(queuePair, QueuePairState.INIT);
            queuePair.postReceives(List.of(ReceiveWorkRequest.into(memory.local())));
            modify(queuePair, QueuePairState.ERR);
            var handled = new AtomicInteger();
            Eventually.until(
                    () -> queue.poll(1, completion -> {
                        assertThat(completion.status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
                        action.run();
                        handled.incrementAndGet();
                    }) == 1,
                    () -> "no completion of the receive that was flushed");
            assertThat(handled).hasValue(1);
        }
    }

    @Test
    void endsQueuePairsThatUseItsQueueAndAnother() {
        try (Context context = Rxe.open(Rxe.LEFT)) {
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(16);
            var other = context.createCompletionQueue(16);
            var closed = domain.reliableConnection(queue).receiveCompletionQueue(other).create();
            var reset = domain.reliableConnection(other).receiveCompletionQueue(queue).create();
            modify(reset, QueuePairState.INIT);
            inHandler(domain, queue, () -> {
                closed.close();
                modify(reset, QueuePairState.RESET);
            });
            assertThat(closed.isClosed()).isTrue();
            assertThat(reset.state()).isEqualTo(QueuePairState.RESET);
        }
    }

    @Test
    void makesAndClosesAllElse() {
        try (Context context = Rxe.open(Rxe.LEFT)) {
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(16);
            inHandler(domain, queue, () -> {
                try (
                        var channel = context.createCompletionChannel();
                        var inner = context.allocateProtectionDomain();
                        var region = inner.allocate(64, Access.LOCAL_WRITE);
                        var shared = inner.createSharedReceiveQueue(8, 1);
                        var other = context.createCompletionQueue(16);
                        var queuePair = inner.reliableConnection(other).sharedReceiveQueue(shared).create()) {
                    shared.postReceives(List.of(ReceiveWorkRequest.into(region.local())));
                    other.resize(64);
                    modify(queuePair, QueuePairState.INIT);
                    assertThat(other.capacity()).isGreaterThanOrEqualTo(64);
                    assertThat(channel.isClosed()).isFalse();
                }
            });
        }
    }
}
