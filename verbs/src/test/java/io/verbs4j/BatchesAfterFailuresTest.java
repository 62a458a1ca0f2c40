// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.InvalidWorkRequestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// After a call has failed, other threads can use the queue: they would wait for a lock that the call has left. Each
/// queue works as before.
@Timeout(60)
class BatchesAfterFailuresTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final Context context;
    private final CompletionQueue queue;
    private final SharedReceiveQueue shared;
    private final QueuePair queuePair;
    private final MemoryRegion memory;

    BatchesAfterFailuresTest() {
        var host = network.addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        context = Devices.of(host).getFirst().open();
        queue = context.createCompletionQueue(64);
        var domain = context.allocateProtectionDomain();
        shared = domain.createSharedReceiveQueue(8, 1);
        var prepared = domain.reliableConnection(queue).prepare();
        queuePair = prepared.connect(prepared.endpoint());
        memory = domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    @AfterEach
    void close() throws Exception {
        inThread(context::close);
        network.close();
    }

    private static void inThread(Runnable action) throws Exception {
        InThread.PLATFORM.run(action, LIMIT);
    }

    private SendWorkRequest write() {
        return new SendWorkRequest().signaled().write().local(memory.local()).remote(memory.remote());
    }

    /// Polls until so many completions have arrived.
    private void await(int count) throws InterruptedException {
        var taken = new ArrayList<Boolean>();
        while (taken.size() < count) {
            assertThat(queue.poll(64, completion -> taken.add(completion.isSuccess()), LIMIT)).isPositive();
        }
        assertThat(taken).hasSize(count).doesNotContain(false);
    }

    @Test
    void sends() throws Exception {
        SendBatch open = queuePair.beginSend();
        assertThatThrownBy(queuePair::beginSend).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queuePair.post(write())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queuePair::close).isInstanceOf(IllegalStateException.class);
        open.close();
        inThread(() -> assertThat(queuePair.post(write())).isOne());
        SendBatch described = queuePair.beginSend();
        described.write();
        assertThatThrownBy(described::submit).isInstanceOf(IllegalStateException.class);
        described.close();
        inThread(() -> assertThat(queuePair.post(List.of(write(), write()))).isEqualTo(2));
        assertThatThrownBy(() -> queuePair.post(write(), new SendWorkRequest().write()))
                .isInstanceOf(InvalidWorkRequestException.class);
        inThread(() -> assertThat(queuePair.post(write())).isOne());
        await(4);
        assertThat(queue.poll(1, _ -> {})).isZero();
    }

    private void assertReceives(Supplier<ReceiveBatch> begin, ToIntFunction<List<ReceiveWorkRequest>> post)
            throws Exception {
        ReceiveWorkRequest whole = ReceiveWorkRequest.into(memory.local());
        ReceiveBatch open = begin.get();
        assertThatThrownBy(begin::get).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> post.applyAsInt(List.of(whole))).isInstanceOf(IllegalStateException.class);
        open.close();
        inThread(() -> assertThat(post.applyAsInt(List.of(whole, whole))).isEqualTo(2));
        LocalMemory foreign = context.allocateProtectionDomain().allocate(8, Access.LOCAL_WRITE).local();
        assertThatThrownBy(() -> post.applyAsInt(List.of(whole, ReceiveWorkRequest.into(foreign))))
                .isInstanceOf(InvalidWorkRequestException.class);
        inThread(() -> assertThat(post.applyAsInt(List.of(whole))).isOne());
    }

    @Test
    void receives() throws Exception {
        assertReceives(queuePair::beginReceive, queuePair::postReceives);
        assertThat(queuePair.readReceiveRing().orElseThrow().fill()).isEqualTo(3);
        assertReceives(shared::beginReceive, shared::postReceives);
        assertThat(shared.readRing().orElseThrow().fill()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(queuePair.post(new SendWorkRequest().send().local(memory.local()))).isOne();
        }
        await(3);
    }

    @Test
    void completions() throws Exception {
        CompletionBatch open = queue.beginPoll();
        assertThatThrownBy(queue::beginPoll).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queue.poll(1, _ -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queue::close).isInstanceOf(IllegalStateException.class);
        open.close();
        inThread(() -> assertThat(queue.poll(1, _ -> {})).isZero());
        assertThat(queuePair.post(write(), write(), write())).isEqualTo(3);
        while (queuePair.readSendRing().orElseThrow().fill() > 0) {
            Thread.onSpinWait();
        }
        var failure = new IllegalArgumentException("of the handler");
        assertThatThrownBy(() -> queue.poll(3, _ -> {
            throw failure;
        })).isSameAs(failure);
        inThread(() -> assertThat(queue.poll(64, _ -> {})).as("the first one counts as handled").isEqualTo(2));
        for (int max : new int[]{0, -1}) {
            assertThatThrownBy(() -> queue.poll(max, _ -> {})).isInstanceOf(IllegalArgumentException.class);
        }
        inThread(() -> assertThat(queue.poll(1, _ -> {})).isZero());
    }

    @Test
    void closedQueues() throws Exception {
        queuePair.close();
        shared.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                queuePair::beginSend, queuePair::beginReceive, () -> queuePair.post(write()), shared::beginReceive)) {
            assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessageEndingWith(" is closed");
        }
        inThread(queuePair::close);
        inThread(shared::close);
        queue.close();
        assertThatThrownBy(queue::beginPoll).isInstanceOf(IllegalStateException.class);
        inThread(queue::close);
        assertThat(queue.isClosed()).isTrue();
    }
}
