// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One of the two sides of a scenario, with a context of its own on rxe0, as the suite's players have it.
final class Player implements AutoCloseable {
    /// Q_Key of datagrams.
    static final int QKEY = 0x11111111;

    private static final int WORK_REQUESTS = 64;

    private final Setup setup;
    private final byte letter;
    private final Context context = Rxe.open();
    private final ProtectionDomain domain;
    private final @Nullable CompletionChannel channel;
    private final CompletionQueue queue;
    private final @Nullable SharedReceiveQueue shared;
    private final MemoryRegion memory;
    private final MemoryRegion received;
    private final List<PreparedQueuePair> prepared = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private @Nullable Player peer;
    private @Nullable AddressHandle path;
    private @Nullable RemoteMemory target;

    /// A work request that failed.
    static final class FailedCompletion extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient CompletionRecord completion;

        FailedCompletion(CompletionRecord completion) {
            super(completion.toString());
            this.completion = completion;
        }

        /// Returns the reason for its failure.
        CompletionStatus status() {
            return completion.status();
        }
    }

    /// @param letter what its messages consist of
    Player(Setup setup, char letter) {
        this.setup = setup;
        this.letter = (byte) letter;
        try {
            domain = context.allocateProtectionDomain();
            channel = setup.polling() == Setup.Polling.EVENTS ? context.createCompletionChannel() : null;
            var options = CompletionQueueOptions.entries(4 * WORK_REQUESTS);
            queue = context.createCompletionQueue(channel == null ? options : options.withChannel(channel));
            if (channel != null) {
                queue.requestNotification(false);
            }
            shared = setup.shared() ? domain.createSharedReceiveQueue(WORK_REQUESTS, 1) : null;
            memory = domain.allocate(
                    Setup.MESSAGE_SIZE + GlobalRouteHeader.BYTES,
                    setup.access().toArray(Access[]::new));
            received = pagesOnlyWhatItSends() ? domain.allocate(memory.length(), Access.LOCAL_WRITE) : memory;
            for (int i = 0; i < setup.queuePairs(); i++) {
                var builder = domain.queuePair(setup.type(), queue)
                        .maxSends(WORK_REQUESTS)
                        .maxReceives(WORK_REQUESTS)
                        .maxSendScatterGather(1)
                        .maxReceiveScatterGather(1)
                        .gid(GidSelector.index(Rxe.IPV4_INDEX))
                        .pathMtu(Mtu.MTU_1024)
                        .readAtomic(1)
                        .qkey(QKEY);
                if (shared != null) {
                    builder.sharedReceiveQueue(shared);
                }
                prepared.add(setup.queuePair().apply(builder).prepare());
            }
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Makes all its queue pairs ready.
    void connect(Player other) {
        peer = other;
        for (int i = 0; i < prepared.size(); i++) {
            queuePairs.add(
                    setup.type() == QueuePairType.UD
                            ? prepared.get(i).start()
                            : prepared.get(i).connect(other.prepared.get(i).endpoint()));
        }
        if (setup.type() == QueuePairType.UD) {
            path = domain.createAddressHandle(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)));
        }
    }

    /// Walks a reliable connection from RESET to RTS.
    void restart(Player other) {
        QueuePair queuePair = queuePair();
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .port(1)
                .pkeyIndex(0)
                .access(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)
                .build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)))
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePairNumber(other.queuePair().number())
                .receivePsn(0)
                .maxDestinationReadAtomic(1)
                .minRnrTimer(12)
                .build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(0)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(7)
                .maxReadAtomic(1)
                .build());
    }

    Context context() {
        return context;
    }

    ProtectionDomain domain() {
        return domain;
    }

    CompletionQueue queue() {
        return queue;
    }

    MemoryRegion memory() {
        return memory;
    }

    QueuePair queuePair() {
        return queuePairs.getFirst();
    }

    List<QueuePair> queuePairs() {
        return queuePairs;
    }

    SharedReceiveQueue shared() {
        assertThat(shared).isNotNull();
        return shared;
    }

    /// Memory of the peer that one-sided operations aim at: all of it, or what [#aimAt] said.
    RemoteMemory target() {
        if (target != null) {
            return target;
        }
        assertThat(peer).isNotNull();
        return peer.memory.remote();
    }

    /// Aims one-sided operations at other memory.
    void aimAt(RemoteMemory memory) {
        target = memory;
    }

    /// Datagrams are sent from memory that is paged on demand, but not received into it: hardware cannot.
    private boolean pagesOnlyWhatItSends() {
        return setup.type() == QueuePairType.UD && setup.access().contains(Access.ON_DEMAND);
    }

    int messageSize() {
        return setup.messageSize();
    }

    /// Returns the offset of a message's payload in the memory.
    int payloadOffset() {
        return setup.type() == QueuePairType.UD ? GlobalRouteHeader.BYTES : 0;
    }

    /// Fills the memory with its own letter.
    void fill() {
        fill(letter);
    }

    /// Fills the memory with a byte.
    void fill(int value) {
        memory.segment().fill((byte) value);
        received.segment().fill((byte) value);
    }

    /// Fails unless the message in its memory consists of the letters of another player, and all behind it of its own.
    void assertHoldsMessageOf(Player other) {
        var expected = new byte[(int) received.length() - payloadOffset()];
        Arrays.fill(expected, letter);
        Arrays.fill(expected, 0, messageSize(), other.letter);
        assertThat(received.segment().asSlice(payloadOffset()).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
    }

    /// Posts one work request on the first queue pair.
    void post(End.Send send) {
        post(0, send);
    }

    /// Posts one work request.
    void post(int index, End.Send send) {
        try (var batch = queuePairs.get(index).beginSend()) {
            if (path != null) {
                assertThat(peer).isNotNull();
                batch.to(path, peer.queuePairs.get(index).number(), QKEY);
            }
            assertThat(send.addTo(batch.signaled())).as("room in the send queue").isTrue();
            batch.submit();
        }
    }

    /// Posts one receive of a message.
    void postReceive(int index) {
        try (
                ReceiveBatch batch =
                        shared != null ? shared.beginReceive() : queuePairs.get(index).beginReceive()) {
            assertThat(batch.receive(received, 0, payloadOffset() + messageSize()))
                    .as("room in the receive queue")
                    .isTrue();
            batch.submit();
        }
    }

    /// Waits for the next completion.
    ///
    /// @throws FailedCompletion if it reports a failure
    CompletionRecord complete() {
        var taken = new ArrayList<CompletionRecord>();
        Eventually.until(() -> poll(taken), () -> "no completion of " + queuePairs);
        CompletionRecord completion = taken.getFirst();
        if (!completion.isSuccess()) {
            throw new FailedCompletion(completion);
        }
        return completion;
    }

    private boolean poll(List<CompletionRecord> taken) {
        switch (setup.polling()) {
            case HANDLER -> queue.poll(1, completion -> taken.add(completion.toRecord()));
            case CURSOR -> {
                try (var batch = queue.beginPoll()) {
                    if (batch.next()) {
                        taken.add(batch.current().toRecord());
                    }
                }
            }
            case EVENTS -> {
                awaitEvent();
                queue.poll(1, completion -> taken.add(completion.toRecord()));
                queue.requestNotification(false);
            }
        }
        return !taken.isEmpty();
    }

    /// Waits for the event of the next completion. The queue was armed before that was on its way, so that each has one.
    private void awaitEvent() {
        assertThat(channel).isNotNull();
        try {
            assertThat(channel.take(Eventually.LIMIT)).as("queue with an event").isSameAs(queue);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
