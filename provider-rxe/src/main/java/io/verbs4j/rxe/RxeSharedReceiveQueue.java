// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.DestroySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.rxe.quirks.ShrunkReceiveQueue;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.RingListener;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.spi.ring.CreatedObjects;
import io.verbs4j.spi.ring.MappedRing;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A shared receive queue and its ring.
final class RxeSharedReceiveQueue extends ProviderSharedReceiveQueue {
    private static final String LOST = "the shared receive queue has lost its ring";

    private final int domain;
    private final int number;
    private final ReceiveRing ring;
    private MappedRing mapping;
    /// Observers read the ring without a lock.
    private volatile RingSlots slots;
    /// Number of receives in the queue when mapping a new ring failed; -1 while the kernel's ring is mapped.
    private int waitingOutOfSight = -1;
    /// The reason why the queue must not be used in any command except its destruction, or null.
    private @Nullable String ended; // guarded by the lock of commands
    /// Held during each command, so that a failed resize cannot end the ring while another command runs.
    private final ReentrantLock commands = new ReentrantLock();

    private RxeSharedReceiveQueue(
            CommandChannel channel,
            int domain,
            int handle,
            int number,
            int maxScatterGather,
            MappedRing mapping,
            @Nullable RingListener listener) {
        super(channel, handle);
        this.domain = domain;
        this.number = number;
        this.mapping = mapping;
        String name = "shared receive queue";
        this.ring = listener == null
                ? new ReceiveRing(mapping.segment(), maxScatterGather, name)
                : new ObservedReceiveRing(
                        mapping.segment(),
                        maxScatterGather,
                        name,
                        listener,
                        UverbsObject.SRQ,
                        handle,
                        0);
        this.slots = ring.slots();
    }

    /// Creates a queue and maps its ring. A failed creation leaves nothing behind.
    static RxeSharedReceiveQueue create(
            CommandChannel channel, SharedReceiveQueueRequest request, @Nullable RingListener listener) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = RxeStructs.CREATE_SRQ.allocate(arena);
            CreateSharedReceiveQueue.Response response = new CreatedObjects(channel, rollback)
                    .sharedReceiveQueue(
                            request.command(request.maxWorkRequests(), request.maxScatterGather()),
                            DriverData.out(answer));
            int handle = response.handle();
            MappedRing mapping = rollback.make(() -> RxeMminfo.read(answer, 0).map(channel), MappedRing::close);
            int number = RxeStructs.CREATE_SRQ.view(answer).getInt("srq_num");
            var queue = new RxeSharedReceiveQueue(
                    channel, request.domain().handle(), handle, number, response.maxScatterGather(), mapping, listener);
            rollback.keep();
            return queue;
        }
    }

    /// Returns the handle of the queue's protection domain.
    int domain() {
        return domain;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public ReceiveQueueOps receiveOps() {
        return ring;
    }

    @Override
    public @Nullable RingReading readRing() {
        return slots.read(RxeRecvWqe.STRUCT.offset("wr_id"));
    }

    /// Resizes the ring. As with a completion queue, the kernel moves the receives to a new ring
    /// ([RxeCompletionQueue#resize(int)]). An open batch is discarded.
    @Override
    public void resize(int maxWorkRequests) {
        command(() -> {
            moveToRingOf(maxWorkRequests);
            return this;
        });
    }

    private <T> T command(Supplier<T> body) {
        commands.lock();
        try {
            String reason = ended;
            if (reason != null) {
                throw new IllegalStateException(reason);
            }
            return body.get();
        } finally {
            commands.unlock();
        }
    }

    private void moveToRingOf(int maxWorkRequests) {
        int waiting = waiting();
        ShrunkReceiveQueue.requireRoom(maxWorkRequests, waiting);
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment info = arena.allocate(RxeMminfo.LAYOUT);
            try {
                modify(arena, info, ModifySharedReceiveQueue.MAX_WORK_REQUESTS, maxWorkRequests, 0);
            } catch (VerbsException e) {
                if (ShrunkReceiveQueue.hasLostRing(e, channel().host().kernel())) {
                    end();
                }
                throw e;
            }
            rollback.add(() -> {
                waitingOutOfSight = waiting;
                ring.vacate(LOST + ": a resize failed midway");
            });
            MappedRing resized = rollback.make(() -> RxeMminfo.read(info, 0).map(channel()), MappedRing::close);
            ring.remap(resized.segment());
            rollback.keep();
            waitingOutOfSight = -1;
            MappedRing former = mapping;
            mapping = resized;
            slots = ring.slots();
            former.close();
        }
    }

    /// Returns an upper bound of the number of receives in the queue. The bound stays valid during the resize, because
    /// no thread posts, and the kernel only takes receives.
    private int waiting() {
        if (waitingOutOfSight >= 0) {
            return waitingOutOfSight;
        }
        RingReading reading = readRing();
        return reading == null ? ring.capacity() : reading.fill();
    }

    private void end() {
        String reason =
                LOST + ": a resize failed, and this kernel would now dereference a null pointer; close"
                        + " the queue and all queue pairs that take receives from it, before a message arrives";
        ended = reason;
        ring.vacate(reason);
    }

    @Override
    public void armLimit(int limit) {
        command(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment info = arena.allocate(RxeMminfo.LAYOUT);
                modify(arena, info, ModifySharedReceiveQueue.LIMIT, 0, limit);
            }
            return this;
        });
    }

    /// Sends the command with the address at which the kernel stores a new ring's mapping. The kernel requires the
    /// address even if it creates no new ring.
    private void modify(Arena arena, MemorySegment info, int mask, int maxWorkRequests, int limit) {
        MemorySegment command = RxeStructs.MODIFY_SRQ.allocate(arena);
        RxeStructs.MODIFY_SRQ.view(command).set("mmap_info_addr", info.address());
        ModifySharedReceiveQueue.execute(channel(), handle(), mask, maxWorkRequests, limit, DriverData.in(command));
    }

    @Override
    public QuerySharedReceiveQueue.Response query() {
        return command(super::query);
    }

    @Override
    public int destroy() {
        int events = DestroySharedReceiveQueue.execute(channel(), handle());
        ring.vacate("the shared receive queue is destroyed");
        mapping.close();
        return events;
    }
}
