// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.DestroySharedReceiveQueue;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.MappedRing;
import io.verbs4j.types.RingReading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A shared receive queue and its ring.
final class SiwSharedReceiveQueue extends ProviderSharedReceiveQueue {
    private final MappedRing mapping;
    private final SiwReceiveRing ring;

    private SiwSharedReceiveQueue(
            CommandChannel channel, int handle, int maxScatterGather, MappedRing mapping, int slots) {
        super(channel, handle);
        this.mapping = mapping;
        this.ring = new SiwReceiveRing(mapping.segment(), slots, maxScatterGather);
    }

    /// Creates a queue and maps its ring. A failed creation leaves nothing behind.
    static SiwSharedReceiveQueue create(CommandChannel channel, SharedReceiveQueueRequest request) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = arena.allocate(SiwStructs.CREATE_SRQ.layout());
            CreateSharedReceiveQueue.Response response = new CreatedObjects(channel, rollback)
                    .sharedReceiveQueue(
                            request.command(request.maxWorkRequests(), request.maxScatterGather()),
                            DriverData.out(answer));
            int handle = response.handle();
            int slots = RingAnswer.slots("shared receive queue", answer, SiwStructs.CREATE_SRQ, "num_rqe");
            MappedRing mapping = rollback.make(() -> MappedRing.map(
                    channel,
                    RingAnswer.key(answer, SiwStructs.CREATE_SRQ, "srq_key"),
                    slots * Elements.RECEIVE_BYTES), MappedRing::close);
            int maxScatterGather = Math.min(response.maxScatterGather(), SiwStructs.MAX_SGE);
            var queue = new SiwSharedReceiveQueue(channel, handle, maxScatterGather, mapping, slots);
            rollback.keep();
            return queue;
        }
    }

    /// Returns 0: shared receive queues of siw have no numbers.
    @Override
    public int number() {
        return 0;
    }

    @Override
    public ReceiveQueueOps receiveOps() {
        return ring;
    }

    @Override
    public RingReading readRing() {
        return ring.slots().read();
    }

    @Override
    public void resize(int maxWorkRequests) {
        throw SiwRefusals.unsupported(
                "resize shared receive queue", "siw does not support it: create the queue for the maximum number of"
                        + " waiting receives");
    }

    @Override
    public int destroy() {
        int events = DestroySharedReceiveQueue.execute(channel(), handle());
        ring.vacate("the shared receive queue is destroyed");
        mapping.close();
        return events;
    }
}
