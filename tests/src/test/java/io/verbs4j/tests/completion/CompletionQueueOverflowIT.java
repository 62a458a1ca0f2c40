// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests what rxe does when a completion finds no room: `rxe_cq_post` (rxe_cq.c) drops it and raises an event.
@DeviceTest
@Covers({"ibv_create_cq", "ibv_poll_cq", "ibv_get_async_event", "ibv_ack_async_event"})
@Needs.EachKernel
class CompletionQueueOverflowIT {
    private static final int LOST = 3;

    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    private final CompletionQueue small = context.createCompletionQueue(7);
    private final CompletionQueue large = context.createCompletionQueue(256);
    private final Completions ofSmall = new Completions(small, context::toString);

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void ofSendsLosesTheLastCompletionsAndReportsEach() throws InterruptedException {
        QueuePair loop = loop(small, large);
        write(loop, 0, small.capacity() + LOST);

        for (int i = 0; i < LOST; i++) {
            assertThat(event(Eventually.LIMIT)).isEqualTo(new AsyncEvent(AsyncEventType.CQ_ERROR, small, 0));
        }
        assertThat(ofSmall.nextSuccesses(small.capacity()))
                .extracting(CompletionRecord::workRequestId)
                .isEqualTo(LongStream.range(0, small.capacity()).boxed().toList());
        ofSmall.assertNone();
        assertThat(event(Duration.ofMillis(50))).isNull();
    }

    @Test
    void ofSendsLeavesTheQueuePairAtWork() throws InterruptedException {
        QueuePair loop = loop(small, large);
        write(loop, 0, small.capacity() + 1);
        assertThat(event(Eventually.LIMIT).type()).isEqualTo(AsyncEventType.CQ_ERROR);
        ofSmall.nextSuccesses(small.capacity());

        assertThat(loop.query().state()).isEqualTo(QueuePairState.RTS);
        write(loop, 100, 2);
        assertThat(ofSmall.nextSuccesses(2))
                .extracting(CompletionRecord::workRequestId)
                .containsExactly(100L, 101L);
    }

    @Test
    void ofReceivesEndsTheQueuePair() throws InterruptedException {
        QueuePair loop = loop(large, small);
        try (var receives = loop.beginReceive()) {
            for (int i = 0; i < small.capacity() + LOST; i++) {
                assertThat(receives.workRequestId(i).post(0, 0, 0)).isTrue();
            }
            receives.submit();
        }
        try (var sends = loop.beginSend()) {
            for (int i = 0; i < small.capacity() + LOST; i++) {
                assertThat(sends.send().local(memory, 0, 0).post()).isTrue();
            }
            sends.submit();
        }

        assertThat(event(Eventually.LIMIT)).isEqualTo(new AsyncEvent(AsyncEventType.CQ_ERROR, small, 0));
        Eventually.until(() -> loop.query().state() == QueuePairState.ERR, loop::toString);
        assertThat(ofSmall.nextSuccesses(small.capacity()))
                .extracting(CompletionRecord::workRequestId)
                .isEqualTo(LongStream.range(0, small.capacity()).boxed().toList());
    }

    @Test
    @Covers("ibv_resize_cq")
    void doesNotComeIfTheQueueIsMadeLargerInTime() throws InterruptedException {
        QueuePair loop = loop(small, large);
        write(loop, 0, small.capacity());
        small.resize(100);
        write(loop, small.capacity(), LOST);
        ofSmall.nextSuccesses(7 + LOST);
        assertThat(event(Duration.ofMillis(50))).isNull();
    }

    private AsyncEvent event(Duration timeout) throws InterruptedException {
        return context.asyncEvents().take(timeout);
    }

    private QueuePair loop(CompletionQueue sends, CompletionQueue receives) {
        var prepared = domain.reliableConnection(sends)
                .receiveCompletionQueue(receives)
                .prepare();
        return prepared.connect(prepared.endpoint());
    }

    private void write(QueuePair loop, long firstId, int count) {
        try (var batch = loop.beginSend()) {
            for (long id = firstId; id < firstId + count; id++) {
                assertThat(batch.signaled()
                        .workRequestId(id)
                        .write()
                        .local(memory, 0, 8)
                        .remote(memory.remote(), 8)
                        .post())
                        .isTrue();
            }
            batch.submit();
        }
    }
}
