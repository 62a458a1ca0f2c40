// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.MappedRing;
import io.verbs4j.types.RingReading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// A completion queue and its ring. A store to the word after the ring arms the queue, without a command.
final class SiwCompletionQueue extends ProviderCompletionQueue {
    private final CommandChannel channel;
    private final int handle;
    private final MappedRing mapping;
    private final FlaggedCompletionRing ring;
    private final FlushedWork flushed = new FlushedWork();
    /// Whether the queue was armed after the last announcement of flushed work.
    private final AtomicBoolean awaited = new AtomicBoolean();
    private volatile Runnable announcement = () -> {};

    private SiwCompletionQueue(CommandChannel channel, int handle, MappedRing mapping, int slots) {
        this.channel = channel;
        this.handle = handle;
        this.mapping = mapping;
        this.ring = new FlaggedCompletionRing(mapping.segment(), slots);
    }

    /// Creates a queue and maps its ring. A failed creation leaves nothing behind.
    static SiwCompletionQueue create(CommandChannel channel, CompletionQueueRequest request) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = arena.allocate(SiwStructs.CREATE_CQ.layout());
            int handle = new CreatedObjects(channel, rollback)
                    .completionQueue(request.command(request.entries()), DriverData.out(answer))
                    .handle();
            int slots = RingAnswer.slots("completion queue", answer, SiwStructs.CREATE_CQ, "num_cqe");
            MappedRing mapping = rollback.make(() -> MappedRing.map(
                    channel,
                    RingAnswer.key(answer, SiwStructs.CREATE_CQ, "cq_key"),
                    FlaggedCompletionRing.bytes(slots)), MappedRing::close);
            var queue = new SiwCompletionQueue(channel, handle, mapping, slots);
            rollback.keep();
            return queue;
        }
    }

    @Override
    public int handle() {
        return handle;
    }

    /// Returns the completions that verbs4j creates, because the kernel does not.
    FlushedWork flushed() {
        return flushed;
    }

    @Override
    public void onOwnCompletions(Runnable announcement) {
        this.announcement = announcement;
    }

    /// Announces the completions that verbs4j has created, at most once after each arming. To be called after they were
    /// added. After a thread has armed the queue, it looks for completions. Therefore, either that thread finds them,
    /// or this method finds the queue armed. The queue stays armed for the kernel, because the announcement reaches
    /// only threads that wait through this process's channel, not those that wait for its file descriptor.
    void announceFlushed() {
        if (flushed.some() && awaited.getAndSet(false) && ring.isArmed()) {
            announcement.run();
        }
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public int begin() {
        int waiting = ring.begin();
        return waiting == 0 && flushed.some() ? 1 : waiting;
    }

    /// Also returns the slot to the kernel.
    @Override
    public boolean next(Completion completion) {
        return ring.next(completion) || flushed.next(completion);
    }

    /// Does nothing: [#next(Completion)] has returned each slot.
    @Override
    public void end() {}

    @Override
    public RingReading readRing() {
        return ring.slots().read();
    }

    /// Rejects notifications that are limited to solicited messages: the kernel treats no receive as solicited
    /// (`siw_rqe_complete`, siw_qp.c), so no event would arrive.
    @Override
    public void requestNotification(boolean solicitedOnly) {
        if (solicitedOnly) {
            throw SiwRefusals.unsupported(
                    "request notification of solicited messages",
                    "siw raises no event for solicited messages: request an event for any completion");
        }
        awaited.setRelease(true); // before the fence of the next line
        ring.arm();
    }

    @Override
    public void resize(int entries) {
        throw SiwRefusals.unsupported(
                "resize completion queue", "siw does not support it: create the queue for the maximum number of"
                        + " waiting completions");
    }

    @Override
    public void forget(ProviderQueuePair queuePair) {
        flushed.forget(queuePair.number());
    }

    @Override
    public void destroy() {
        DestroyCompletionQueue.execute(channel, handle);
        ring.vacate("the completion queue is destroyed");
        mapping.close();
    }
}
