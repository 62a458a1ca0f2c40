// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.DestroySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A shared receive queue.
final class Mlx5SharedReceiveQueue extends ProviderSharedReceiveQueue {
    private final Mlx5Context context;
    private final int number;
    private final QueueMemory memory;
    private final SharedRing ring;

    private Mlx5SharedReceiveQueue(
            Mlx5Context context, int handle, int number, QueueMemory memory, SharedRing ring) {
        super(context.channel(), handle);
        this.context = context;
        this.number = number;
        this.memory = memory;
        this.ring = ring;
        context.sharedQueues().put(number, this);
    }

    /// Creates a shared receive queue. A failed creation leaves nothing behind.
    static Mlx5SharedReceiveQueue create(Mlx5Context context, SharedReceiveQueueRequest request) {
        QueueSizes.Shared sizes = QueueSizes.shared(context.limits(), request);
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            QueueMemory memory = rollback.make(
                    () -> QueueMemory.allocate((long) sizes.count() << sizes.shift()), QueueMemory::release);
            var ring = new SharedRing(memory, sizes.count(), sizes.usable(), sizes.shift());
            MemorySegment wanted = CommandStructs.CREATE_SRQ.allocate(arena);
            CommandStructs.CREATE_SRQ
                    .view(wanted)
                    .set("buf_addr", memory.address())
                    .set("db_addr", memory.record());
            MemorySegment answer = CommandStructs.CREATE_SRQ_ANSWER.allocate(arena);
            CreateSharedReceiveQueue.Response created = new CreatedObjects(context.channel(), rollback)
                    .sharedReceiveQueue(
                            request.command(sizes.count() - 1, ring.maxScatterGather()),
                            new DriverData(wanted, answer));
            int number = CommandStructs.CREATE_SRQ_ANSWER.view(answer).getInt("srqn");
            var queue = new Mlx5SharedReceiveQueue(context, created.handle(), number, memory, ring);
            rollback.keep();
            return queue;
        }
    }

    SharedRing ring() {
        return ring;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public ReceiveQueueOps receiveOps() {
        return ring;
    }

    /// The driver does not support this (`mlx5_ib_modify_srq`, srq.c).
    @Override
    public void resize(int maxWorkRequests) {
        throw new NotSupportedException(
                "modify shared receive queue",
                Errno.EOPNOTSUPP,
                "mlx5 cannot resize a shared receive queue; create it with the required size");
    }

    /// The kernel counts more elements than can be posted, and would accept a limit that is never reached.
    @Override
    public void armLimit(int limit) {
        if (limit > ring.capacity()) {
            throw new VerbsException(
                    "modify shared receive queue",
                    Errno.EINVAL,
                    "limit=" + limit + " is not in 0.." + ring.capacity());
        }
        super.armLimit(limit);
    }

    @Override
    public QuerySharedReceiveQueue.Response query() {
        QuerySharedReceiveQueue.Response response = super.query();
        return new QuerySharedReceiveQueue.Response(ring.capacity(), response.maxScatterGather(), response.limit());
    }

    @Override
    public int destroy() {
        int events = DestroySharedReceiveQueue.execute(channel(), handle());
        context.sharedQueues().remove(number, this);
        ring.lose("the shared receive queue is destroyed");
        memory.release();
        return events;
    }
}
