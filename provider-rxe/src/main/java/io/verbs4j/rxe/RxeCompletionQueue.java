// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.MappedRing;
import io.verbs4j.types.RingReading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A completion queue and its ring.
final class RxeCompletionQueue extends RingCompletionQueue {
    private final CommandChannel channel;
    private final int handle;
    private final RequestNotification notification;
    private MappedRing mapping;
    /// Observers read the ring without a lock.
    private volatile RingSlots slots;

    private RxeCompletionQueue(CommandChannel channel, int handle, MappedRing mapping) {
        super(new CompletionRing(mapping.segment()));
        this.channel = channel;
        this.handle = handle;
        this.notification = new RequestNotification(channel, handle);
        this.mapping = mapping;
        this.slots = ring.slots();
    }

    /// Creates a queue and maps its ring. A failed creation leaves nothing behind.
    static RxeCompletionQueue create(CommandChannel channel, CompletionQueueRequest request) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = RxeStructs.CREATE_CQ.allocate(arena);
            int handle = new CreatedObjects(channel, rollback)
                    .completionQueue(request.command(request.entries()), DriverData.out(answer))
                    .handle();
            MappedRing mapping = rollback.make(() -> RxeMminfo.read(answer, 0).map(channel), MappedRing::close);
            var queue = new RxeCompletionQueue(channel, handle, mapping);
            rollback.keep();
            return queue;
        }
    }

    /// Returns a racy snapshot of the ring.
    RingSlots slots() {
        return slots;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public @Nullable RingReading readRing() {
        return slots.read(RxeCqe.STRUCT.offset("wr_id"));
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {
        notification.execute(solicitedOnly);
    }

    /// Resizes the ring. The kernel allocates a new ring, copies the completions of the old ring to the start of the
    /// new ring, marks the old ring as empty and then uses the new ring (`resize_finish`, rxe_queue.c). The copy begins
    /// at the old ring's consumer index. Therefore, all consumed slots must have been returned, and no thread may poll
    /// during the call.
    ///
    /// If the new ring cannot be mapped, the ring is lost, because the kernel no longer uses the old ring, and accepts
    /// the mapping offset of the new ring only once. The queue then rejects polls until another resize succeeds. That
    /// resize preserves all completions, because the kernel still has them.
    @Override
    public void resize(int entries) {
        ring.end();
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = RxeStructs.RESIZE_CQ.allocate(arena);
            ResizeCompletionQueue.execute(channel, handle, entries, DriverData.out(answer));
            rollback.add(() -> ring.vacate("the completion queue has lost its ring: a resize failed midway"));
            MappedRing resized = rollback.make(() -> RxeMminfo.read(answer, 0).map(channel), MappedRing::close);
            var resizedRing = new CompletionRing(resized.segment());
            rollback.keep();
            MappedRing former = mapping;
            mapping = resized;
            ring.vacate("the completion queue was resized by another thread");
            ring = resizedRing;
            slots = resizedRing.slots();
            former.close();
        }
    }

    @Override
    public void destroy() {
        DestroyCompletionQueue.execute(channel, handle);
        ring.vacate("the completion queue is destroyed");
        mapping.close();
    }
}
