// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.SendBatch;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsObject;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import java.time.Duration;
import java.util.List;

/// Makes one of everything for a reliable connection, connects, sends, waits, resizes, and asks.
final class ConnectionSteps {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final Context context;
    private final int gidIndex;

    private ConnectionSteps(Context context, int gidIndex) {
        this.context = context;
        this.gidIndex = gidIndex;
    }

    static List<VerbsObject> take(Context context, int gidIndex) throws InterruptedException {
        return new ConnectionSteps(context, gidIndex).take();
    }

    private List<VerbsObject> take() throws InterruptedException {
        ProtectionDomain domain = context.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue queue = context.createCompletionQueue(
                CompletionQueueOptions.entries(7).withChannel(channel));
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(7, 1);
        PreparedQueuePair there = domain.reliableConnection(queue)
                .gid(GidSelector.index(gidIndex))
                .sharedReceiveQueue(shared)
                .maxSends(7)
                .prepare();
        PreparedQueuePair here = domain.reliableConnection(queue)
                .gid(GidSelector.index(gidIndex))
                .maxSends(7)
                .maxReceives(7)
                .prepare();
        QueuePair peer = there.connect(here.endpoint());
        QueuePair sender = here.connect(there.endpoint());
        AddressHandle address = domain.createAddressHandle(
                new AddressVector(here.endpoint().gid(), gidIndex, 0, 64, 0, 0, 1, 0));
        MemoryWindow window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);

        write(sender, memory, queue, channel);
        resize(queue, shared, sender, memory);
        ask(sender, shared);

        return List.of(window, address, sender, peer, shared, queue, channel, memory, domain);
    }

    /// A write whose completion wakes us.
    private void write(QueuePair sender, MemoryRegion memory, CompletionQueue queue, CompletionChannel channel)
            throws InterruptedException {
        queue.requestNotification(false);
        post(sender, memory);
        assertThat(channel.take(LONG)).as("the queue that an event named").isSameAs(queue);
        await(queue);
    }

    private static void post(QueuePair sender, MemoryRegion memory) {
        try (SendBatch batch = sender.beginSend()) {
            assertThat(batch.signaled()
                    .write()
                    .local(memory.slice(0, 64))
                    .remote(memory.remote().slice(4096, 64))
                    .post()).isTrue();
            batch.submit();
        }
    }

    /// Resizes both; what waits survives, on the queue's side and on ours.
    private void resize(CompletionQueue queue, SharedReceiveQueue shared, QueuePair sender, MemoryRegion memory)
            throws InterruptedException {
        try (var receives = shared.beginReceive()) {
            receives.workRequestId(1).receive(memory, 0, 64);
            receives.submit();
        }
        post(sender, memory);
        queue.resize(20);
        shared.resize(20);
        await(queue);
    }

    private static void await(CompletionQueue queue) throws InterruptedException {
        assertThat(queue.await(1, completion -> assertThat(completion.isSuccess()).isTrue(), LONG))
                .as("completions")
                .isEqualTo(1);
    }

    private void ask(QueuePair sender, SharedReceiveQueue shared) {
        assertThat(context.gid(1, gidIndex).index()).isEqualTo(gidIndex);
        assertThat(sender.query().state()).isEqualTo(sender.state());
        shared.query();
        shared.armLimit(1);
        context.asyncEvents().poll();
    }
}
